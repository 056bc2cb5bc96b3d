import { GatewayError, type OperationRequest } from '@turnpike/protocol'
import type { Target, VendorOperation } from '../../vendor.ts'
import type { AnyFieldTable, FieldVisitor } from './field-table.ts'

/** Which fields an operation's requests have, and what is left where one of them is left out. */
export interface FieldRules<Request extends OperationRequest = OperationRequest> {
  /** Tells of every field that asks for something; what is left at its default asks for nothing. */
  visit(request: Request, visit: FieldVisitor<string>): void
  /** Whether a field is left out for a caller who asked for leniency; else it is refused even then. */
  isOmittable(field: string): boolean
  /**
   * The request without what such a field asks for.
   * @param paths where the request asks for what this vendor cannot honour, in our words
   */
  omit(field: string, request: Request, paths: ReadonlySet<string>): Request
  /**
   * Whether an outermost member of the body may be left out where a vendor of the caller's own format refuses
   * it by its name.
   */
  mayBeLeftOut(member: string, request: Request): boolean
  /** Paths of what went with something that was left out; absent: nothing ever does. */
  alsoOmitted?(request: Request, said: Request): readonly string[]
  /**
   * The body for a vendor, without what its `formatRequest` refuses of the request and may be left out.
   * @throws {GatewayError} 400 that names what is refused even so
   */
  formatLeniently(
    lenient: LenientRequest<Request>,
    vendor: VendorOperation<Request>,
    target: Target,
  ): { body: Record<string, unknown>; dropped: readonly string[] }
}

/** A request with less than its caller asked for. */
export interface LenientRequest<Request extends OperationRequest = OperationRequest> {
  request: Request
  /** Paths of what is left out, in our words and as the caller's body has them; each once. */
  dropped: readonly string[]
}

/**
 * The one place where a field table is enforced.
 * @param modelId as the caller knows it, for the message
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
