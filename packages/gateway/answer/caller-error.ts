import type { GatewayError } from '@turnpike/protocol'
import type { Held, Received } from '../context/stages.ts'

/** A path that an error names in its text alone, in our words, or at its beginning in Anthropic's. */
const namedPath =
  /\b(?:messages|tools)\.?\[\d{1,5}\][\w.[\]]*|^(?:messages|tools|system)\.\d{1,5}[\w.]*(?=: )/

/** Fields are named as the caller wrote them. */
export function toCallerError(error: GatewayError, request: Received & Partial<Held>): GatewayError {
  const { format, call } = request
  if (format.fieldPath === undefined) return error
  const param = error.param ?? findNamedPath(error)
  if (param === undefined) return error
  const path = toOwnPath(format.fieldPath(param, call?.body), request)
  if (path === error.param) return error
  return error.with({ param: path, message: replacePath(error.message, param, path) })
}

/** Where the request went on from a kept answer, its caller sent the end of the conversation alone. */
function toOwnPath(path: string, { format, continued }: Received & Partial<Held>): string {
  if (continued?.bodies === undefined || format.kept === undefined) return path
  const { own, whole } = continued.bodies
  return format.kept.ownPath(path, whole, own) ?? format.kept.previousField
}

function findNamedPath({ type, message }: GatewayError): string | undefined {
  return type === 'invalid_request_error' ? namedPath.exec(message)?.[0].replace(/[.[]+$/, '') : undefined
}

/** In the place of the path, or before the message, as Anthropic begins with it; a word is no path. */
function replacePath(message: string, param: string, path: string): string {
  if (message.startsWith(param)) return path + message.slice(param.length)
  const said = param.includes('[') ? message.replace(param, path) : message
  return said.includes(path) ? said : `${path}: ${said}`
}
