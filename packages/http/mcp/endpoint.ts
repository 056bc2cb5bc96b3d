import type { IncomingMessage, ServerResponse } from 'node:http'
import { requirePlainBody, type GatewayLog } from '@turnpike/gateway'
import { isRefused, organizationHeader, Throttle, type McpAccess, type McpRefusal } from '@turnpike/identity'
import { GatewayError, newIdentifier, toGatewayError } from '@turnpike/protocol'
import { readBody } from '../body-reader.ts'
import { expectsContinue } from '../expect-continue.ts'
import type { McpServices } from '../management/mcp/services.ts'
import type { AccountApiServices } from './account-api.ts'
import { toolNameOf, idOf, isUnreadable, readMessage, type RpcMessage } from './message.ts'
import { AllowedOrigins } from './origins.ts'
import { respondRpcError, rpcCodes, type RpcCode } from './rpc-error.ts'
import type { McpSurface } from './surface.ts'

export interface McpEndpointParts {
  access: McpServices
  /** The gateway's address, without a slash at the end; called with the first request. */
  publicUrl: () => string
  /** Origins of web pages that may call, besides the gateway's own; `*` allows none. */
  allowedOrigins: readonly string[]
  /** The gateway's version. */
  version: string
  api: AccountApiServices
  /** The time allowed for a body besides that for its size. */
  bodyMs: number
  /** Messages of one account on this node. The limits of its key apply as well to what models are asked. */
  messagesPerMinute: number
  log: GatewayLog
}

/** The size of a tool's arguments; more than anybody writes at once. */
const maxBodyBytes = 1024 * 1024
const minuteMs = 60_000
const methods = 'POST'
/** The protocol keeps nothing between requests, so there are no streams to open and no sessions to end. */
const allow = { allow: methods }

interface ReceivedRequest {
  request: IncomingMessage
  response: ServerResponse
  requestId: string
}

/**
 * The gateway's MCP server: Streamable HTTP of the revision 2026-07-28, and the same without sessions for
 * clients of earlier revisions. Callers are identified by an access token that is for this server only.
 */
export class McpEndpoint {
  readonly #parts: McpEndpointParts
  /** Its location, once that is known. */
  #place: { path: string; host: string | undefined; origins: AllowedOrigins } | undefined
  #surface: Promise<McpSurface> | undefined
  readonly #messages: Throttle

  constructor(parts: McpEndpointParts) {
    this.#parts = parts
    this.#messages = new Throttle(parts.messagesPerMinute, minuteMs, parts.api.clock)
  }

  /** Whether a request is for the MCP server: by the path, and by the host if it has its own. */
  serves({ url = '/', headers }: IncomingMessage): boolean {
    const { path, host } = this.#at()
    if (!url.startsWith(path)) return false
    const end = url.charCodeAt(path.length)
    if (!Number.isNaN(end) && end !== questionMark) return false
    return host === undefined || headers.host?.toLowerCase() === host
  }

  /** True if the request was for the MCP server, which then answers it. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.serves(request)) return false
    const requestId = newIdentifier('req')
    response.setHeader('x-request-id', requestId)
    response.setHeader('cache-control', 'no-store')
    void this.#answer({ request, response, requestId })
    return true
  }

  /** Ends the requests that are in progress. */
  async close(): Promise<void> {
    const surface = await this.#surface
    await surface?.close()
  }

  #at(): { path: string; host: string | undefined; origins: AllowedOrigins } {
    if (this.#place !== undefined) return this.#place
    const { access, publicUrl, allowedOrigins } = this.#parts
    const { resource, path } = access.addresses()
    const { host } = new URL(resource)
    const own = new URL(publicUrl())
    const origins = new AllowedOrigins([own.href, resource], allowedOrigins)
    this.#place = { path, host: host === own.host ? undefined : host, origins }
    return this.#place
  }

  async #answer(received: ReceivedRequest): Promise<void> {
    const { response, requestId } = received
    let id: string | number | undefined
    let code: RpcCode | undefined
    try {
      if (this.#ofPage(received)) return
      this.#requireReadable(received)
      const access = await this.#accessOf(received)
      if (access === undefined) return
      const read = readMessage(await this.#bodyOf(received))
      if (isUnreadable(read)) {
        code = read.code
        throw read.error
      }
      id = idOf(read)
      await this.#serve(received, read, access)
    } catch (thrown) {
      const error = toGatewayError(thrown)
      if (error.status === 500) this.#parts.log.error({ requestId, detail: error.detail }, error.message)
      if (response.headersSent || response.destroyed) response.destroy()
      else
        respondRpcError(response, error, {
          requestId,
          ...(id !== undefined && { id }),
          ...(code !== undefined && { code }),
        })
    }
  }

  /** Handles CORS. True if the request was a preflight and is answered. @throws {GatewayError} 403 */
  #ofPage({ request, response }: ReceivedRequest): boolean {
    const { origin } = request.headers
    if (origin === undefined) return false
    response.setHeader('vary', 'origin')
    if (!this.#at().origins.includes(origin))
      throw new GatewayError(
        'permission_error',
        `Web pages of "${origin.slice(0, 100)}" may not call this server.`,
      )
    response.setHeader('access-control-allow-origin', origin)
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      response.setHeader('access-control-expose-headers', 'www-authenticate, x-request-id, retry-after')
      return false
    }
    response.writeHead(204, {
      'access-control-allow-methods': methods,
      // The wildcard does not cover `authorization` (Fetch standard, section 4.10).
      'access-control-allow-headers': 'authorization, *',
      'access-control-max-age': '7200',
    })
    response.end()
    return true
  }

  #requireReadable({ request }: ReceivedRequest): void {
    const { method, headers } = request
    if (method !== 'POST')
      throw new GatewayError('invalid_request_error', `The MCP server accepts ${methods}, not ${method}.`, {
        status: 405,
        headers: allow,
      })
    if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
      throw new GatewayError('invalid_request_error', 'The Content-Type must be application/json.', {
        status: 415,
      })
    requirePlainBody(headers['content-encoding'])
  }

  /** The caller's access; undefined if it was refused, and the response is sent. */
  async #accessOf(received: ReceivedRequest): Promise<McpAccess | undefined> {
    const { authorization, [organizationHeader]: organization } = received.request.headers
    const found = await this.#parts.access.authorization().verify(authorization, organization)
    if (isRefused(found)) {
      refuse(received, found)
      return undefined
    }
    const retryAfterSeconds = this.#messages.take(found.accountId)
    if (retryAfterSeconds === 0) return found
    const message = 'The account is sending too many messages to the MCP server.'
    throw new GatewayError('rate_limit_error', message, { retryAfterSeconds })
  }

  async #bodyOf({ request, response }: ReceivedRequest): Promise<Buffer> {
    if (expectsContinue(request)) response.writeContinue()
    const { bodies } = this.#parts.api.admission()
    let taken = 0
    response.once('close', () => bodies.giveBack(taken))
    return await readBody(request, {
      maxBytes: maxBodyBytes,
      bodyMs: this.#parts.bodyMs,
      refusalOf: (bytes) => bodies.refusalOf(bytes),
      take(bytes) {
        const refused = bodies.take(bytes)
        if (refused === undefined) taken += bytes
        return refused
      },
    })
  }

  async #serve(received: ReceivedRequest, message: RpcMessage, access: McpAccess): Promise<void> {
    this.#surface ??= this.#load()
    const surface = await this.#surface
    const needed = surface.missingScopes(toolNameOf(message), access.scopes)
    if (needed !== undefined)
      return refuse(received, this.#parts.access.authorization().insufficientScope(needed), idOf(message))
    await surface.serve({ ...received, message, access })
  }

  /** Loaded late: its dependencies take long to load, and most nodes never need them. */
  async #load(): Promise<McpSurface> {
    const { openSurface } = await import('./surface.ts')
    const { version, api, log } = this.#parts
    return openSurface({ address: this.#parts.access.addresses().resource, version, api, log })
  }
}

const questionMark = 0x3f

function refuse({ response, requestId }: ReceivedRequest, refusal: McpRefusal, id?: string | number): void {
  const { status, message, wwwAuthenticate } = refusal
  const type = status === 401 ? 'authentication_error' : 'permission_error'
  const error = new GatewayError(type, message, { headers: { 'www-authenticate': wwwAuthenticate } })
  respondRpcError(response, error, { requestId, code: rpcCodes.refused, ...(id !== undefined && { id }) })
}
