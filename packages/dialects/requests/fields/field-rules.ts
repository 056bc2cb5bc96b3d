import { GatewayError, type OperationRequest } from '@turnpike/protocol'
import type { Target, VendorOperation } from '../../vendor.ts'
import type { AnyFieldTable, FieldVisitor } from './field-table.ts'

/** The fields of an operation's requests, and how to leave one out. */
export interface FieldRules<Request extends OperationRequest = OperationRequest> {
  /** Visits every field that asks for something. A field at its default value asks for nothing. */
  visit(request: Request, visit: FieldVisitor<string>): void
  /** Whether leniency may leave the field out; otherwise it is refused even then. */
  isOmittable(field: string): boolean
  /**
   * The request without what the field asks for.
   * @param paths where the request asks for what this vendor cannot honour, in our names
   */
  omit(field: string, request: Request, paths: ReadonlySet<string>): Request
  /** Whether a member may be left out if a vendor of the caller's own format rejects it by name. */
  mayBeLeftOut(member: string, request: Request): boolean
  /** Paths of fields that were removed together with an omitted one. Absent: this never happens. */
  alsoOmitted?(request: Request, lenient: Request): readonly string[]
  /**
   * The body for a vendor, without what its `formatRequest` refuses and leniency may leave out.
   * @throws {GatewayError} 400 that names a field which is refused even so
   */
  formatLeniently(
    lenient: LenientRequest<Request>,
    vendor: VendorOperation<Request>,
    target: Target,
  ): { body: Record<string, unknown>; dropped: readonly string[] }
}

/** A request without the fields that leniency left out. */
export interface LenientRequest<Request extends OperationRequest = OperationRequest> {
  request: Request
  /** Paths of what was left out, in our names and as in the caller's body, each once. */
  dropped: readonly string[]
}

/**
 * The one place that enforces a field table.
 * @param modelId the caller's name for the model, for the message
 * @throws {GatewayError} 400 that names the first field which the table refuses
 */
export function refuseFields<Request extends OperationRequest>(
  words: Pick<FieldRules<Request>, 'visit'>,
  request: Request,
  fields: AnyFieldTable,
  modelId: string,
): void {
  words.visit(request, (field, path) => {
    if (fields[field]?.treatment === 'refused') throw refusalOf(field, path(), fields, modelId)
  })
}

export function refusalOf(
  field: string,
  param: string,
  fields: AnyFieldTable,
  modelId: string,
): GatewayError {
  const message = `${param} cannot be used with ${modelId}: ${(fields[field] ?? fields.unknown).note}.`
  return new GatewayError('invalid_request_error', message, { param })
}
