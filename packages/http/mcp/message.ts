import { isUtf8 } from 'node:buffer'
import { scanWithinBounds, requireFewLevels, type JsonBounds } from '@turnpike/gateway'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import { rpcCodes, type RpcCode } from './rpc-error.ts'

/** A message of JSON-RPC, as far as we look at it; the SDK checks the rest. */
export interface RpcMessage {
  method?: unknown
  id?: unknown
  params?: unknown
}

/** Arguments of tools are short and flat: a conversation is the longest of them. */
const bounds: JsonBounds = { values: 50_000, members: 1_000, levels: 200 }

/** A message that is none: the error, and as which kind JSON-RPC tells it. */
export interface Unreadable {
  error: GatewayError
  code: RpcCode
}

export function readMessage(body: Buffer): RpcMessage | Unreadable {
  if (!isUtf8(body)) return unreadable('The body is not valid UTF-8.', rpcCodes.parse)
  let value: unknown
  try {
    const scan = scanWithinBounds(body, bounds)
    requireFewLevels(scan, bounds)
    value = JSON.parse(body.toString('utf8'))
  } catch (error) {
    if (error instanceof GatewayError) return { error, code: rpcCodes.invalid }
    return unreadable('The body is not valid JSON.', rpcCodes.parse)
  }
  if (Array.isArray(value))
    return unreadable('Batches are not supported. Send one message per request.', rpcCodes.invalid)
  if (typeof value !== 'object' || value === null)
    return unreadable('The body is not a JSON-RPC message.', rpcCodes.invalid)
  return value
}

export function isUnreadable(message: RpcMessage | Unreadable): message is Unreadable {
  return 'error' in message && message.error instanceof GatewayError
}

function unreadable(message: string, code: RpcCode): Unreadable {
  return { error: invalidRequest(undefined, message), code }
}

/** The request's `id`; undefined where it has none that could be repeated. */
export function idOf({ id }: RpcMessage): string | number | undefined {
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

/** The tool that is called; undefined for any other message. */
export function toolNameOf({ method, params }: RpcMessage): string | undefined {
  if (method !== 'tools/call' || typeof params !== 'object' || params === null) return undefined
  const { name } = params as { name?: unknown }
  return typeof name === 'string' ? name : undefined
}
