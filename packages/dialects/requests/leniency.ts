import { GatewayError, type ModelRequest } from '@turnpike/protocol'
import type { MediaKind, Target, VendorFormat } from '../vendor.ts'
import type { FieldTable, RequestField } from './field-table.ts'
import { fieldsOfMedia } from './left-out-parts.ts'
import { isOmittable, omissions, UnsupportedField } from './omissions.ts'
import { refusalOf, visitRequest } from './requested-fields.ts'

/** A request with less than its caller asked for. */
export interface LenientRequest {
  request: ModelRequest
  /** Paths of what is left out, in our words and as the caller's body has them; each once. */
  dropped: readonly string[]
}

/** Of one kind: a request of which more cannot be said is none that a model would understand without it. */
const mostLeftOut = 2_000

/** Whom a lenient request is for. */
export interface LenientFor {
  /** As the caller knows the model, for messages. */
  modelId: string
  /** What becomes of each field; undefined: bytes pass, and what they hold is the vendor's to refuse. */
  fields: FieldTable | undefined
  /** What this model does not see, hear or read, whatever its vendor does. */
  unread: readonly MediaKind[]
}

/**
 * The request without what this model cannot honour and may be left out. The same as `refuseUnsupported` for
 * a caller who asked for leniency.
 * @throws {GatewayError} 400 that names the first field which is refused even so
 */
export function withoutUnsupported(
  { request, dropped }: LenientRequest,
  { modelId, fields, unread }: LenientFor,
): LenientRequest {
  const found = new Map<RequestField, Set<string>>()
  const unreadFields = unread.length === 0 ? undefined : fieldsOfMedia(unread)
  visitRequest(request, (field, path) => {
    const isRefused = fields !== undefined && fields[field].treatment === 'refused'
    if (!isRefused && unreadFields?.has(field) !== true) return
    if (!isOmittable(field)) throw placed(refusalOf(field, path(), fields!, modelId), dropped)
    const paths = found.get(field)
    if (paths === undefined) found.set(field, new Set([path()]))
    else if (paths.size < mostLeftOut) paths.add(path())
    else throw placed(tooMuch(path(), modelId), dropped)
  })
  if (found.size === 0) return { request, dropped }
  const paths = new Set(dropped)
  for (const ofField of found.values()) for (const path of ofField) paths.add(path)
  let said = request
  for (const field of found.keys()) if (isOmittable(field)) said = omissions[field](said, paths)
  if (said.toolChoice !== request.toolChoice) paths.add('tool_choice')
  return { request: said, dropped: [...paths] }
}

function tooMuch(param: string, modelId: string): GatewayError {
  const message = `${param}: expected at most ${mostLeftOut} parts that ${modelId} cannot be given.`
  return new GatewayError('invalid_request_error', message, { param })
}

/**
 * The body for this vendor, without what `formatRequest` refuses of the request and may be left out.
 * @throws {GatewayError} 400 that names what is refused even so
 */
export function formatLeniently(
  lenient: LenientRequest,
  vendorFormat: VendorFormat,
  target: Target,
): { body: Record<string, unknown>; dropped: readonly string[] } {
  const dropped = new Set(lenient.dropped)
  let { request } = lenient
  // Each round leaves a field out that was not yet: there are as many as fields.
  for (;;) {
    try {
      return { body: vendorFormat.operations.generate.formatRequest(request, target), dropped: [...dropped] }
    } catch (error) {
      if (!(error instanceof UnsupportedField) || dropped.has(error.param!))
        throw placed(error, lenient.dropped)
      for (const path of error.paths) dropped.add(path)
      request = error.without(request)
    }
  }
}

const toolPath = /^tools\[(\d+)\]/

/** The tools behind one that is left out moved up: an error names them by where the caller wrote them. */
function placed(error: unknown, dropped: readonly string[]): unknown {
  if (!(error instanceof GatewayError) || error.param === null) return error
  const { param, message } = error
  const place = toolPath.exec(param)
  if (place === null) return error
  const gone = dropped.flatMap((path) => toolPath.exec(path)?.[1] ?? []).map(Number)
  let index = Number(place[1])
  for (const one of gone.toSorted((a, b) => a - b)) if (one <= index) index++
  const path = `tools[${index}]${param.slice(place[0].length)}`
  const told = message.startsWith(param) ? path + message.slice(param.length) : message
  return error.with({ param: path, message: told })
}
