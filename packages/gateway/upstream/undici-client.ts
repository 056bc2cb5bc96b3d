import type { LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
import { bodyOnce } from './body-once.ts'
import { connector } from './connector.ts'
import {
  UpstreamFailure,
  type UpstreamCall,
  type UpstreamClient,
  type UpstreamReceiver,
  type UpstreamRequest,
} from './client.ts'
import { Agent, errors } from './undici.ts'

export interface ConnectionBounds {
  /** Connections to one origin; further requests wait for one. */
  connectionsPerOrigin: number
  /** How many requests may wait; more are rejected at once. */
  waitingPerOrigin: number
}

const usualBounds: ConnectionBounds = { connectionsPerOrigin: 1_024, waitingPerOrigin: 1_024 }
/** How long an idle connection is kept, unless the vendor says less. */
const keepAliveMs = 30_000
/** The largest head of a response. */
const maxHeaderBytes = 64 * 1024

/** Calls vendors over HTTP/1.1, with a connection pool per origin. */
export class UndiciUpstreamClient implements UpstreamClient {
  /** By connect timeout, which undici sets per pool: there are as many as the configuration has values. */
  readonly #agents = new Map<number, Agent>()
  /** By origin: few, those of a configuration or of one request's media. */
  readonly #loads = new Map<string, Load>()
  readonly #lookup: LookupFunction | undefined
  readonly #bounds: ConnectionBounds

  /** @param lookup resolves host names; absent: as the system does */
  constructor(lookup?: LookupFunction, bounds: ConnectionBounds = usualBounds) {
    this.#lookup = lookup
    this.#bounds = bounds
  }

  send(request: UpstreamRequest, receiver: UpstreamReceiver): void {
    const { origin } = request
    const load = this.#loadOf(origin)
    const { connectionsPerOrigin, waitingPerOrigin } = this.#bounds
    if (load.calls >= connectionsPerOrigin + waitingPerOrigin) {
      // undici's own queue has no limit.
      const message = `${load.calls} calls to ${origin} are in progress`
      receiver.onError(new UpstreamFailure('too-many-waiting', message))
      return
    }
    const call = new UndiciCall(receiver, request.timeouts.totalMs, load)
    this.#agentFor(request.timeouts.connectMs).dispatch(
      {
        origin: request.origin,
        path: request.path,
        method: request.method,
        ...toDispatchOptions(request),
        headersTimeout: request.timeouts.firstByteMs,
        bodyTimeout: request.timeouts.idleMs,
      },
      call,
    )
  }

  /** Closes all connections; calls in progress fail. */
  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()))
  }

  #loadOf(origin: string): Load {
    let load = this.#loads.get(origin)
    if (load === undefined) {
      load = { calls: 0 }
      this.#loads.set(origin, load)
    }
    return load
  }

  #agentFor(connectMs: number): Agent {
    let agent = this.#agents.get(connectMs)
    if (agent === undefined) {
      agent = new Agent({
        connect: connector({
          timeout: connectMs,
          ...(this.#lookup === undefined ? {} : { lookup: this.#lookup }),
        }),
        connections: this.#bounds.connectionsPerOrigin,
        keepAliveTimeout: keepAliveMs,
        maxHeaderSize: maxHeaderBytes,
        pipelining: 1,
      })
      this.#agents.set(connectMs, agent)
    }
    return agent
  }
}

/** The load of one origin. */
interface Load {
  /** In progress, or waiting for a connection. */
  calls: number
}

/** Without a length, undici sends anything but buffers in chunks, which some vendors cannot read. */
function toDispatchOptions({
  headers,
  body,
  streams,
}: UpstreamRequest): Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> {
  if (streams !== true || body === null) return { headers, body }
  return { headers: { ...headers, 'content-length': String(body.length) }, body: bodyOnce(body) }
}

class UndiciCall implements Dispatcher.DispatchHandler, UpstreamCall {
  readonly #receiver: UpstreamReceiver
  readonly #timer: NodeJS.Timeout
  /** Counted until undici releases the call: later than its end if it is aborted while it waits. */
  readonly #load: Load
  #controller: Dispatcher.DispatchController | undefined
  #abortReason: Error | undefined
  #over = false

  constructor(receiver: UpstreamReceiver, totalMs: number, load: Load) {
    this.#receiver = receiver
    this.#load = load
    load.calls++
    const expire = (): void =>
      this.abort(new UpstreamFailure('total-timeout', `the response did not end within ${totalMs} ms`))
    this.#timer = setTimeout(expire, totalMs)
    this.#timer.unref()
  }

  pause(): void {
    this.#controller?.pause()
  }

  resume(): void {
    this.#controller?.resume()
  }

  abort(reason: Error): void {
    if (this.#over) return
    this.#abortReason ??= reason
    if (this.#controller !== undefined) this.#controller.abort(reason)
    else this.#fail(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#abortReason !== undefined) controller.abort(this.#abortReason)
    else this.#receiver.onCall(this)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: UpstreamHeadersOfUndici,
  ): void {
    // Two buffers per header, which would stay in memory until the answer ends.
    controller.rawHeaders = null
    // 1xx are not final responses: https://www.rfc-editor.org/rfc/rfc9110#section-15.2
    if (status >= 200) this.#receiver.onHead(status, headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#receiver.onData(chunk)
  }

  onResponseEnd(): void {
    this.#load.calls--
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    this.#receiver.onEnd()
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#load.calls--
    this.#fail(this.#abortReason ?? failureOf(error))
  }

  #fail(error: Error): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    this.#receiver.onError(error)
  }
}

type UpstreamHeadersOfUndici = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

const connectCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
])

function failureOf(error: Error): UpstreamFailure {
  const options = { cause: error }
  if (error instanceof errors.ConnectTimeoutError)
    return new UpstreamFailure('connect-timeout', error.message, options)
  if (error instanceof errors.HeadersTimeoutError)
    return new UpstreamFailure('first-byte-timeout', error.message, options)
  if (error instanceof errors.BodyTimeoutError)
    return new UpstreamFailure('idle-timeout', error.message, options)
  const { code } = error as { code?: string }
  const reason = code !== undefined && connectCodes.has(code) ? 'connect-failed' : 'connection-lost'
  return new UpstreamFailure(reason, `${code ?? error.name}: ${error.message}`, options)
}
