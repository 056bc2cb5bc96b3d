import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMcpHandler, type McpRequestContext } from '@modelcontextprotocol/server'
import type { GatewayLog } from '@turnpike/gateway'
import type { McpAccess, McpScope } from '@turnpike/identity'
import { toolDefinition, tools, toolServer, type ToolDefinition } from '@turnpike/mcp'
import { GatewayError } from '@turnpike/protocol'
import { accountApi, type AccountApiServices } from './account-api.ts'
import { describeFailure } from './api-refusal.ts'
import { idOf, type RpcMessage } from './message.ts'
import { respondRpcError, rpcCodes } from './rpc-error.ts'
import { sendAnswer } from './web-answer.ts'

const instructions = `Turnpike is an LLM gateway: one account for the models of every vendor, paid from the \
user's prepaid credit. Only \`chat\` costs money; its answers say how much. When credit has run out, \
\`top_up\` creates a checkout URL: give it to the user, and never open or pay it yourself. \
The key from \`create_key\` is shown only once: save it at once where the user wants it, and nowhere \
else.`

/** How long a client may cache the tools, which depend on the granted scopes and the gateway's version. */
const toolsHoldMs = 60_000

export interface SurfaceParts {
  /** The address at which clients reach it. */
  address: string
  version: string
  api: AccountApiServices
  log: GatewayLog
}

/** A message of an authorized caller. */
export interface McpExchange {
  request: IncomingMessage
  response: ServerResponse
  requestId: string
  message: RpcMessage
  access: McpAccess
}

/** The protocol, after authorization. */
export interface McpSurface {
  /** The scopes that a call of this tool lacks; undefined if it lacks none. */
  missingScopes(tool: string | undefined, granted: ReadonlySet<McpScope>): readonly McpScope[] | undefined
  /** Handles a message, whatever happens; resolves when the response has ended. */
  serve(exchange: McpExchange): Promise<void>
  close(): Promise<void>
}

export function openSurface(parts: SurfaceParts): McpSurface {
  const definitions = tools.map(toolDefinition)
  // A server per request, which ends with it; the exchange is in the SDK's field for the caller.
  const serverOf = ({ authInfo }: McpRequestContext) => {
    const exchange = authInfo?.extra?.exchange as McpExchange
    return toolServer({
      version: parts.version,
      instructions,
      tools: definitions.filter(({ tool }) => mayCall(tool, exchange.access.scopes)),
      api: apiOf(exchange, parts),
      describeFailure: (error) => failureOf(error, exchange, parts.log),
      toolsHoldMs,
    })
  }
  // Called for refusals too; a failure of our own is answered with 500.
  let latest: Error | undefined
  const onerror = (error: Error): void => void (latest = error)
  const plain = createMcpHandler(serverOf, { onerror })
  // Long calls are a stream from the start, so that no proxy in between times out.
  const streaming = createMcpHandler(serverOf, { onerror, responseMode: 'sse' })
  return {
    missingScopes(name, granted) {
      const definition = definitions.find(({ tool }) => tool.name === name)
      if (definition === undefined || mayCall(definition.tool, granted)) return undefined
      return [definition.tool.scopes[0]]
    },
    async serve(exchange) {
      const { message, response, requestId } = exchange
      if (message.method === subscribing) {
        const id = idOf(message)
        respondRpcError(response, nothingToHear(), {
          requestId,
          code: rpcCodes.unknownMethod,
          ...(id !== undefined && { id }),
        })
        return
      }
      const handler = isLong(message) ? streaming : plain
      const leaving = new AbortController()
      response.once('close', () => leaving.abort())
      const answer = await handler.fetch(webRequest(exchange, parts.address, leaving.signal), {
        parsedBody: message,
        authInfo: {
          token: '',
          clientId: exchange.access.clientId,
          scopes: [...exchange.access.scopes],
          extra: { exchange },
        },
      })
      if (answer.status >= 500)
        parts.log.error(
          { requestId, detail: latest?.stack },
          'a message of an MCP client could not be handled',
        )
      await sendAnswer(answer, response)
    },
    async close() {
      await Promise.all([plain.close(), streaming.close()])
    },
  }
}

/** The tools never change, so a stream that waits for changes would only occupy a place. */
const subscribing = 'subscriptions/listen'

function nothingToHear(): GatewayError {
  return new GatewayError('not_found_error', 'Method not found: this server announces no changes.')
}

function mayCall({ scopes }: ToolDefinition['tool'], granted: ReadonlySet<McpScope>): boolean {
  return scopes.some((scope) => granted.has(scope))
}

function isLong({ method, params }: RpcMessage): boolean {
  return method === 'tools/call' && (params as { name?: unknown } | undefined)?.name === 'chat'
}

function apiOf({ access, request }: McpExchange, { api }: SurfaceParts) {
  const from = { address: request.socket.remoteAddress ?? '', forwarded: request.headers }
  return accountApi(access, from, api)
}

function failureOf(error: unknown, { requestId }: McpExchange, log: GatewayLog) {
  return describeFailure(error, requestId, ({ detail, message }) => log.error({ requestId, detail }, message))
}

/** What the SDK needs of a request: the body was already read, and no tool may see the credential. */
function webRequest({ request }: McpExchange, address: string, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && name !== 'authorization') headers.set(name, String(value))
  }
  return new Request(address, { method: 'POST', headers, signal })
}
