import { isUtf8 } from 'node:buffer'
import { scanWithinBounds, requireFewLevels, type JsonBounds } from '@turnpike/gateway'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import { rpcCodes, type RpcCode } from './rpc-error.ts'

/** A JSON-RPC message, as far as we look at it; the SDK validates the rest. */
export interface RpcMessage {
  method?: unknown
  id?: unknown
  params?: unknown
}

/** Arguments of tools are short and flat: a conversation is the longest. */
const bounds: JsonBounds = { values: 50_000, members: 1_000, levels: 200 }

/** Why something is not a valid message: the error, and its JSON-RPC code. */
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

/** The request's `id`; undefined if it has none that could be sent back. */
export function idOf({ id }: RpcMessage): string | number | undefined {
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

/** The tool that is called; undefined for other messages. */
export function toolNameOf({ method, params }: RpcMessage): string | undefined {
  if (method !== 'tools/call' || typeof params !== 'object' || params === null) return undefined
  const { name } = params as { name?: unknown }
  return typeof name === 'string' ? name : undefined
}
