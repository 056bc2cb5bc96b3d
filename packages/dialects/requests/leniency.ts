import { GatewayError, type OperationRequest } from '@turnpike/protocol'
import type { AnyFieldTable } from './fields/field-table.ts'
import { refusalOf, type LenientRequest, type FieldRules } from './fields/field-rules.ts'

/** Omissions of one kind. A request with more than these would make no sense to a model without them. */
const mostLeftOut = 2_000

/** The model that a lenient request is for. */
export interface LenientFor {
  /** The caller's name for the model, for messages. */
  modelId: string
  /** How the vendor treats each field. Undefined: bytes pass, and the vendor refuses what it must. */
  fields: AnyFieldTable | undefined
  /** Fields that this model cannot read, whatever its vendor's table says. Undefined: none. */
  unread?: ReadonlySet<string> | undefined
}

/**
 * The request without what this model cannot honour and leniency may leave out. The counterpart of
 * `refuseFields` for callers who asked for leniency.
 * @throws {GatewayError} 400 that names the first field which is refused even so
 */
export function withoutUnsupported<Request extends OperationRequest>(
  words: FieldRules<Request>,
  { request, dropped }: LenientRequest<Request>,
  { modelId, fields, unread }: LenientFor,
): LenientRequest<Request> {
  const found = new Map<string, Set<string>>()
  words.visit(request, (field, path) => {
    const isRefused = fields !== undefined && fields[field]?.treatment === 'refused'
    if (!isRefused && unread?.has(field) !== true) return
    if (!words.isOmittable(field)) throw restorePath(refusalOf(field, path(), fields!, modelId), dropped)
    const paths = found.get(field)
    if (paths === undefined) found.set(field, new Set([path()]))
    else if (paths.size < mostLeftOut) paths.add(path())
    else throw restorePath(tooMuch(path(), modelId), dropped)
  })
  if (found.size === 0) return { request, dropped }
  const paths = new Set(dropped)
  for (const ofField of found.values()) for (const path of ofField) paths.add(path)
  let remaining = request
  for (const field of found.keys()) remaining = words.omit(field, remaining, paths)
  for (const path of words.alsoOmitted?.(request, remaining) ?? []) paths.add(path)
  return { request: remaining, dropped: [...paths] }
}

function tooMuch(param: string, modelId: string): GatewayError {
  const message = `${param}: expected at most ${mostLeftOut} parts that ${modelId} does not support.`
  return new GatewayError('invalid_request_error', message, { param })
}

const toolPath = /^tools\[(\d+)\]/

/** Restores a tool's index in an error: tools after an omitted one have moved up. */
export function restorePath(error: unknown, dropped: readonly string[]): unknown {
  if (!(error instanceof GatewayError) || error.param === null) return error
  const { param, message } = error
  const place = toolPath.exec(param)
  if (place === null) return error
  const gone = dropped.flatMap((path) => toolPath.exec(path)?.[1] ?? []).map(Number)
  let index = Number(place[1])
  for (const one of gone.toSorted((a, b) => a - b)) if (one <= index) index++
  const path = `tools[${index}]${param.slice(place[0].length)}`
  const rewritten = message.startsWith(param) ? path + message.slice(param.length) : message
  return error.with({ param: path, message: rewritten })
}
