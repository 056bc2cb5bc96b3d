import type { GatewayError } from '@turnpike/protocol'
import type { Held, Received } from '../context/stages.ts'

/** Fields are named as the caller wrote them. */
export function inCallersWords(
  error: GatewayError,
  { format, call }: Received & Partial<Held>,
): GatewayError {
  const { param, message } = error
  const path = param === null ? undefined : format.fieldPath?.(param, call?.body)
  if (param === null || path === undefined || path === param) return error
  const told = message.startsWith(param) ? path + message.slice(param.length) : message
  return error.with({ param: path, message: told })
}
