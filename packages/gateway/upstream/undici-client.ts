import type { LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
import { bodyOnce } from './body-once.ts'
import { Ticker, type Ticking } from '../services/ticker.ts'
import { connector } from './connector.ts'
import {
  UpstreamFailure,
  type UpstreamFailureReason,
  type UpstreamCall,
  type UpstreamClient,
  type UpstreamReceiver,
  type UpstreamRequest,
  type UpstreamTimeouts,
} from './client.ts'
import { errors, Pool } from './undici.ts'

export interface ConnectionBounds {
  /** Connections to one origin; further requests wait for one. */
  connectionsPerOrigin: number
  /** How many requests may wait; more are rejected at once. */
  waitingPerOrigin: number
}

const usualBounds: ConnectionBounds = { connectionsPerOrigin: 1_024, waitingPerOrigin: 1_024 }
/** How long an idle connection is kept, unless the vendor says less. */
const keepAliveMs = 30_000
/** How often the time limits of calls are checked. They end calls up to two intervals late, never early. */
const limitsCheckMs = 250
/** The largest head of a response. */
const maxHeaderBytes = 64 * 1024

/** Calls vendors over HTTP/1.1, with a connection pool per origin. */
export class UndiciUpstreamClient implements UpstreamClient {
  /** By URL origin: few, those of a configuration or of one request's media. */
  readonly #origins = new Map<string, Origin>()
  readonly #lookup: LookupFunction | undefined
  readonly #bounds: ConnectionBounds
  readonly #ticker = new Ticker(limitsCheckMs)

  /** @param lookup resolves host names; absent: as the system does */
  constructor(lookup?: LookupFunction, bounds: ConnectionBounds = usualBounds) {
    this.#lookup = lookup
    this.#bounds = bounds
  }

  send(request: UpstreamRequest, receiver: UpstreamReceiver): void {
    const { origin: url, timeouts } = request
    const origin = this.#originOf(url)
    const { connectionsPerOrigin, waitingPerOrigin } = this.#bounds
    if (origin.calls >= connectionsPerOrigin + waitingPerOrigin) {
      // undici's own queue has no limit.
      const message = `${origin.calls} calls to ${url} are in progress`
      receiver.onError(new UpstreamFailure('too-many-waiting', message))
      return
    }
    const call = new UndiciCall(receiver, timeouts, origin, this.#ticker)
    const { headers, body } = toDispatchOptions(request)
    this.#poolFor(origin, url, timeouts.connectMs).dispatch(
      {
        origin: url,
        path: request.path,
        method: request.method,
        headers,
        body,
        // The call checks its limits itself. undici makes two timers for each call and keeps them for half a
        // second, so that they reach the old generation: a major collection every 20,000 calls.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      call,
    )
  }

  /** Closes all connections; calls in progress fail. */
  async close(): Promise<void> {
    const origins = [...this.#origins.values()]
    await Promise.all(origins.flatMap(({ pools }) => [...pools.values()].map((pool) => pool.destroy())))
  }

  #originOf(url: string): Origin {
    let origin = this.#origins.get(url)
    if (origin === undefined) {
      origin = { calls: 0, pools: new Map() }
      this.#origins.set(url, origin)
    }
    return origin
  }

  #poolFor(origin: Origin, url: string, connectMs: number): Pool {
    return origin.pools.get(connectMs) ?? this.#addPool(origin, url, connectMs)
  }

  /** undici's `Agent` would do the same, with one more object on each call's way and a text joined for it. */
  #addPool(origin: Origin, url: string, connectMs: number): Pool {
    const pool = new Pool(url, {
      connect: connector({
        timeout: connectMs,
        allowH2: false,
        ...(this.#lookup === undefined ? {} : { lookup: this.#lookup }),
      }),
      // Over HTTP/2, the calls on a connection would share its flow control, and end with it.
      allowH2: false,
      connections: this.#bounds.connectionsPerOrigin,
      keepAliveTimeout: keepAliveMs,
      maxHeaderSize: maxHeaderBytes,
      pipelining: 1,
    })
    const { pools } = origin
    // A pool keeps an object for each connection that it ever had.
    const dropIfUnused = (): void => {
      const isUsed = origin.calls > 0 || pool.stats.connected > 0
      if (!isUsed && pools.get(connectMs) === pool) pools.delete(connectMs)
    }
    pool.on('disconnect', dropIfUnused)
    pool.on('connectionError', dropIfUnused)
    pools.set(connectMs, pool)
    return pool
  }
}

/** What is called under one URL origin. */
interface Origin {
  /** In progress, or waiting for a connection. */
  calls: number
  /** By connect timeout, which undici sets per pool: there are as many as the configuration has values. */
  pools: Map<number, Pool>
}

/** Without a length, undici sends anything but buffers in chunks, which some vendors cannot read. */
function toDispatchOptions({
  headers,
  body,
  streams,
}: UpstreamRequest): Required<Pick<Dispatcher.DispatchOptions, 'headers' | 'body'>> {
  if (streams !== true || body === null) return { headers, body }
  return { headers: { ...headers, 'content-length': String(body.length) }, body: bodyOnce(body) }
}

/**
 * Its time limits are counted in ticks, not by a clock: after a pause of the whole process, what the vendor
 * has sent meanwhile is read before a limit ends the call.
 */
class UndiciCall implements Dispatcher.DispatchHandler, UpstreamCall, Ticking {
  place = -1
  readonly #receiver: UpstreamReceiver
  readonly #timeouts: UpstreamTimeouts
  readonly #ticker: Ticker
  /** Counted until undici releases the call: later than its end if it is aborted while it waits. */
  readonly #origin: Origin
  #controller: Dispatcher.DispatchController | undefined
  #abortReason: Error | undefined
  #over = false
  #hasHead = false
  /** The caller reads too slowly, so the silence is not the vendor's. */
  #paused = false
  /** Since the call began. */
  #ticks = 0
  /** Since the request was sent, or the last bytes of the answer came. */
  #silentTicks = 0

  constructor(receiver: UpstreamReceiver, timeouts: UpstreamTimeouts, origin: Origin, ticker: Ticker) {
    this.#receiver = receiver
    this.#timeouts = timeouts
    this.#origin = origin
    origin.calls++
    this.#ticker = ticker
    ticker.add(this)
  }

  tick(): void {
    const { totalMs, firstByteMs, idleMs } = this.#timeouts
    const { intervalMs } = this.#ticker
    // The interval in which the call began does not count, because only a part of it has passed.
    if (this.#ticks++ * intervalMs >= totalMs) {
      this.#expire('total-timeout', `the response did not end within ${totalMs} ms`)
      return
    }
    const waitsForConnection = this.#controller === undefined
    if (waitsForConnection || this.#paused) return
    const silentMs = this.#silentTicks++ * intervalMs
    if (silentMs < (this.#hasHead ? idleMs : firstByteMs)) return
    if (this.#hasHead) this.#expire('idle-timeout', `no data for ${idleMs} ms`)
    else this.#expire('first-byte-timeout', `no response within ${firstByteMs} ms`)
  }

  #expire(reason: UpstreamFailureReason, message: string): void {
    this.abort(new UpstreamFailure(reason, message))
  }

  pause(): void {
    this.#paused = true
    this.#controller?.pause()
  }

  resume(): void {
    this.#paused = false
    this.#silentTicks = 0
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
    if (status < 200) return
    this.#hasHead = true
    this.#silentTicks = 0
    this.#receiver.onHead(status, headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#silentTicks = 0
    this.#receiver.onData(chunk)
  }

  onResponseEnd(): void {
    this.#origin.calls--
    if (this.#over) return
    this.#over = true
    this.#ticker.remove(this)
    this.#receiver.onEnd()
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#origin.calls--
    this.#fail(this.#abortReason ?? failureOf(error))
  }

  #fail(error: Error): void {
    if (this.#over) return
    this.#over = true
    this.#ticker.remove(this)
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
  const { code } = error as { code?: string }
  const reason = code !== undefined && connectCodes.has(code) ? 'connect-failed' : 'connection-lost'
  return new UpstreamFailure(reason, `${code ?? error.name}: ${error.message}`, options)
}
