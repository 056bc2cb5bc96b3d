import type { GatewayError } from '@turnpike/protocol'
import type { Held, Received } from '../context/stages.ts'

/** A path that only the error's message contains: in our notation, or in Anthropic's at the beginning. */
const namedPath =
  /\b(?:messages|tools)\.?\[\d{1,5}\][\w.[\]]*|^(?:messages|tools|system)\.\d{1,5}[\w.]*(?=: )/

/** Names the error's field as the caller wrote it. */
export function toCallerError(error: GatewayError, request: Received & Partial<Held>): GatewayError {
  const { format, call } = request
  if (format.fieldPath === undefined) return error
  const param = error.param ?? findNamedPath(error)
  if (param === undefined) return error
  const path = toOwnPath(format.fieldPath(param, call?.body), request)
  if (path === error.param) return error
  return error.with({ param: path, message: replacePath(error.message, param, path) })
}

/** If the request continued a kept answer, its caller sent only the end of the conversation. */
function toOwnPath(path: string, { format, continued }: Received & Partial<Held>): string {
  if (continued?.bodies === undefined || format.kept === undefined) return path
  const { own, whole } = continued.bodies
  return format.kept.ownPath(path, whole, own) ?? format.kept.previousField
}

function findNamedPath({ type, message }: GatewayError): string | undefined {
  return type === 'invalid_request_error' ? namedPath.exec(message)?.[0].replace(/[.[]+$/, '') : undefined
}

/**
 * Replaces the path, or puts it before the message, as Anthropic does. A single word may be ordinary text, so
 * only its first position is replaced.
 */
function replacePath(message: string, param: string, path: string): string {
  if (message.startsWith(param)) return path + message.slice(param.length)
  const replaced = param.includes('[') ? message.replace(param, path) : message
  return replaced.includes(path) ? replaced : `${path}: ${replaced}`
}
