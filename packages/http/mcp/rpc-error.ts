import type { ServerResponse } from 'node:http'
import { errorHeaders, type GatewayError } from '@turnpike/protocol'

/** JSON-RPC 2.0, section 5.1; and one of the codes left to servers. */
export const rpcCodes = {
  parse: -32_700,
  invalid: -32_600,
  unknownMethod: -32_601,
  refused: -32_000,
} as const
export type RpcCode = (typeof rpcCodes)[keyof typeof rpcCodes]

/**
 * Sends an HTTP error with a JSON-RPC error as its body. `id` is the request's, if it is known; otherwise the
 * specification requires that there is none (2026-07-28, Streamable HTTP, Security).
 */
export function respondRpcError(
  response: ServerResponse,
  error: GatewayError,
  { requestId, code = rpcCodes.refused, id }: { requestId: string; code?: RpcCode; id?: string | number },
): void {
  const { status, type, message, param } = error
  const data = { type, code: status, param, request_id: requestId }
  const body = JSON.stringify({
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: { code, message, data },
  })
  response.writeHead(status, {
    ...errorHeaders(error),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
