import type { UpstreamCall, UpstreamClient, UpstreamReceiver, UpstreamRequest } from '@turnpike/gateway'
import type { UpstreamFailure, UpstreamFailureReason } from '@turnpike/gateway'
import type { Performance, ScriptWatcher } from './journal.ts'
import type { ScriptStep, VendorRequest, VendorScript } from './script.ts'

export interface InProcessOptions {
  perform(request: VendorRequest): Performance
  /** The gateway's own error class, passed in so that a simulator does not load the gateway. */
  Failure: typeof UpstreamFailure
}

/** A vendor without a socket: plays scripts on timers, and applies the request's timeouts like a client. */
export function createInProcessClient(options: InProcessOptions): UpstreamClient {
  return {
    send(request, receiver) {
      const call = new InProcessCall(options, request, receiver)
      receiver.onCall(call)
      call.start()
    },
  }
}

const longestTimerMs = 2_147_483_647

class InProcessCall implements UpstreamCall {
  readonly #options: InProcessOptions
  readonly #request: UpstreamRequest
  readonly #receiver: UpstreamReceiver
  #script: VendorScript | undefined
  #watcher: ScriptWatcher | undefined
  /** Index of the next step. */
  #next = 0
  /** When the next step is due, counted from the start, so that a pause loses no time. */
  #dueMs = 0
  /** When silence becomes a timeout; before the head this is the timeout for the first byte. */
  #silentUntilMs = 0
  #endsAtMs = 0
  #headGiven = false
  #paused = false
  #playing = false
  #over = false
  #timer: NodeJS.Timeout | undefined
  #turn: NodeJS.Immediate | undefined

  constructor(options: InProcessOptions, request: UpstreamRequest, receiver: UpstreamReceiver) {
    this.#options = options
    this.#request = request
    this.#receiver = receiver
  }

  start(): void {
    if (this.#over) return
    const now = performance.now()
    this.#dueMs = now
    this.#silentUntilMs = now + this.#request.timeouts.firstByteMs
    this.#endsAtMs = now + this.#request.timeouts.totalMs
    this.#playSoon()
  }

  pause(): void {
    this.#paused = true
  }

  resume(): void {
    if (!this.#paused) return
    this.#paused = false
    if (this.#over || !this.#headGiven) return
    // The receiver itself caused the silence until now.
    this.#silentUntilMs = performance.now() + this.#request.timeouts.idleMs
    if (!this.#playing) this.#playSoon()
  }

  abort(reason: Error): void {
    if (this.#over) return
    this.#finish('client-closed')
    queueMicrotask(() => this.#receiver.onError(reason))
  }

  #playSoon(): void {
    clearTimeout(this.#timer)
    this.#turn ??= setImmediate(() => this.#play())
  }

  #wakeAt(timeMs: number): void {
    const waitMs = Math.ceil(timeMs - performance.now())
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#play(), Math.min(Math.max(1, waitMs), longestTimerMs))
  }

  /** If a receiver throws, its call fails, as with a client on sockets; the process continues. */
  #play(): void {
    this.#turn = undefined
    if (this.#over) return
    this.#playing = true
    try {
      this.#script ??= this.#open()
      while (!this.#over && this.#playStep(this.#script.steps[this.#next])) this.#next++
    } catch (error) {
      if (this.#over) throw error
      this.abort(error instanceof Error ? error : new Error(String(error)))
    } finally {
      this.#playing = false
    }
  }

  #open(): VendorScript {
    const { method, path, headers, body } = this.#request
    const performance = this.#options.perform({ method, path, headers, body: body ?? Buffer.alloc(0) })
    this.#watcher = performance.watcher
    return performance.script
  }

  /** True if the step was played and the next one may follow at once. */
  #playStep(step: ScriptStep | undefined): boolean {
    const now = performance.now()
    if (now >= this.#endsAtMs) return this.#fail('total-timeout', 'The call took too long')
    if (this.#paused && this.#headGiven) return this.#waitFor(this.#endsAtMs)
    if (this.#silentUntilMs <= Math.min(now, this.#dueMs)) return this.#failSilent()
    if (this.#dueMs > now) return this.#waitFor(Math.min(this.#dueMs, this.#silentUntilMs, this.#endsAtMs))
    switch (step?.type) {
      case 'delay':
        this.#dueMs += step.delayMs
        if (step.delayMs > 0) return true
        this.#next++
        this.#playSoon()
        return false
      case 'head':
        return this.#giveHead(now)
      case 'bytes':
        this.#silentUntilMs = now + this.#request.timeouts.idleMs
        this.#watcher?.recordSent(step.bytes.length, step.tokens)
        this.#receiver.onData(step.bytes)
        return true
      case 'hang':
        if (now >= this.#silentUntilMs) return this.#failSilent()
        return this.#waitFor(Math.min(this.#silentUntilMs, this.#endsAtMs))
      case 'reset':
        return this.#fail('connection-lost', 'The vendor broke the connection', 'reset')
      default:
        return this.#end()
    }
  }

  #waitFor(timeMs: number): false {
    this.#wakeAt(timeMs)
    return false
  }

  #giveHead(now: number): true {
    this.#headGiven = true
    this.#silentUntilMs = now + this.#request.timeouts.idleMs
    this.#watcher?.headSent()
    this.#receiver.onHead(this.#script!.status, { ...this.#script!.headers })
    return true
  }

  #end(): false {
    if (!this.#headGiven) return this.#fail('connection-lost', 'The vendor closed the connection', 'ended')
    this.#finish('ended')
    this.#receiver.onEnd()
    return false
  }

  #failSilent(): false {
    return this.#headGiven
      ? this.#fail('idle-timeout', 'The vendor went silent')
      : this.#fail('first-byte-timeout', 'The vendor did not answer in time')
  }

  #fail(
    reason: UpstreamFailureReason,
    message: string,
    ending: 'client-closed' | 'reset' | 'ended' = 'client-closed',
  ): false {
    this.#finish(ending)
    this.#receiver.onError(new this.#options.Failure(reason, message))
    return false
  }

  #finish(ending: 'client-closed' | 'reset' | 'ended'): void {
    this.#over = true
    clearTimeout(this.#timer)
    if (this.#turn !== undefined) clearImmediate(this.#turn)
    this.#watcher?.recordClosed(ending)
  }
}
