import {
  describeUnreadable,
  errorOfBody,
  openBridge,
  type BridgeHead,
  type BridgeListener,
  type StreamBridge,
  type VendorFormat,
} from '@turnpike/dialects'
import { GatewayError, type Outcome, type StreamPart, type Usage } from '@turnpike/protocol'
import { clientClosed, outcomeOfLeaving } from '../context/client-closed.ts'
import type { Ending, OutputSeen, Tail } from '../context/ending.ts'
import type { Exchange, ExchangeListener } from '../context/exchange.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt, Held } from '../context/stages.ts'
import { creditExhausted, creditUnknown } from '../metering/credit-errors.ts'
import { mayBillUnseen } from '../metering/unseen-reasoning.ts'
import type { ReadOn } from '../services/read-ons.ts'
import type { Ticking } from '../services/ticker.ts'
import {
  headerText,
  type UpstreamCall,
  type UpstreamHeaders,
  type UpstreamReceiver,
} from '../upstream/client.ts'
import { upstreamError } from '../upstream/failure.ts'
import type { Answer } from './answer.ts'
import { callerLimits } from './caller-limits.ts'
import { servedBy } from './headers.ts'
import { OutputBudget } from './output-budget.ts'
import { OutputText } from './output-text.ts'
import { refusedCall, toldError } from './told-error.ts'

/** A sign of life goes out after so long a silence, so that nothing between us and the client gives up. */
const keepAliveAfterMs = 10_000
/** What an answer of less time holds of its connection is not worth the letting go. */
const lastingAfterMs = 2_000

/** Of chunks that say nothing, while no answer has begun or behind its end, so many characters wait. */
const maxSilence = 1024 * 1024

/** An error page is read up to here. */
const maxErrorBytes = 64 * 1024

/**
 * A streamed answer on its way through: the upstream pushes bytes in, whole events go out. The answer begins
 * with its first token; what the upstream says before it waits, so that a failure until then is an error with
 * a status. From the finish on events wait again, until the request is recorded: they are the last bytes.
 */
export class StreamReceiver implements UpstreamReceiver, BridgeListener, ExchangeListener, Ticking, Answer {
  readonly attempt: Attempt
  readonly #request: Held
  readonly #gateway: Gateway
  readonly #exchange: Exchange
  readonly #vendorFormat: VendorFormat
  readonly #bridge: StreamBridge
  readonly #budget: OutputBudget
  /** Until the answer has begun, or cannot any more: an open stream need not keep it. */
  #begun: PromiseWithResolvers<Answer> | undefined = Promise.withResolvers<Answer>()
  #ending: Ending | undefined
  #onEnding: ((ending: Ending) => void) | undefined
  #call: UpstreamCall | undefined
  #retryAfter: string | undefined
  #formatKnown = false
  /** Set where the answer is no stream: the whole of it, as far as it is kept. */
  #errorBody: Buffer[] | undefined
  #errorBytes = 0
  /** Events that wait: those before the first token, and those from the finish on. */
  #held = ''
  #outgoing = ''
  #sentAtMs: number
  /** The client reads slower than the upstream sends. */
  #paused = false
  /** The upstream waits, and so do events, until the hold has grown. */
  #waitsForCredit = false
  /** What became of the upstream meanwhile. */
  #endedMeanwhile: Ended | undefined
  #tokenSeen = false
  #finishSeen = false
  #over = false
  readonly #output = new OutputText()
  /** Set once the client has left and the answer is read on for its usage; and what the client had of it. */
  #readOn: ReadOn | undefined
  #given: OutputSeen | undefined
  #usage: Usage | undefined
  /** How much had been said when the vendor told its usage: that is not of what came later. */
  #countedOf = 0
  #tier: unknown
  #failure: GatewayError | undefined
  status: number | null = null

  constructor(attempt: Attempt, vendorFormat: VendorFormat, head: BridgeHead, gateway: Gateway) {
    const { request } = attempt
    this.attempt = attempt
    this.#request = request
    this.#exchange = request.exchange
    this.#gateway = gateway
    this.#vendorFormat = vendorFormat
    this.#bridge = openBridge(request.format, vendorFormat, head, this)
    this.#budget = new OutputBudget(attempt, gateway)
    this.#sentAtMs = performance.now()
    gateway.ticker.add(this)
  }

  get begun(): Promise<Answer> {
    return this.#begun?.promise ?? Promise.resolve(this)
  }

  relay(): Ending | Promise<Ending> {
    return (
      this.#ending ??
      new Promise((resolve) => {
        this.#onEnding = resolve
      })
    )
  }

  onCall(call: UpstreamCall): void {
    this.#call = call
    if (this.#over) call.abort(clientClosed())
  }

  onHead(status: number, headers: UpstreamHeaders): void {
    this.status = status
    this.#retryAfter = headerText(headers['retry-after'])
    const streams = status >= 200 && status <= 299 && !isJson(headers)
    if (!streams) this.#errorBody = []
  }

  onData(chunk: Buffer): void {
    if (this.#over) return
    if (!this.#formatKnown) this.#recognise(chunk)
    if (this.#errorBody !== undefined) return this.#collectError(chunk)
    try {
      this.#bridge.push(chunk)
    } catch (error) {
      this.#failure ??= upstreamError(error as Error)
    }
    this.#passOn(undefined)
  }

  onEnd(): void {
    this.#ended({ error: undefined })
  }

  onError(error: Error): void {
    this.#ended({ error })
  }

  #ended(ended: Ended): void {
    if (this.#over) return
    if (this.#waitsForCredit) {
      this.#endedMeanwhile = ended
      return
    }
    if (ended.error === undefined && this.#errorBody !== undefined) return this.#break(this.#errorOfBody())
    this.#bridge.end(ended.error !== undefined)
    this.#passOn(ended)
  }

  /** Gives out what came, once the hold covers it. Some of it may come while the upstream should wait. */
  #passOn(ended: Ended | undefined): void {
    if (this.#waitsForCredit) return
    if (this.#readOn !== undefined && this.#budget.isFarExceededBy(this.#output)) return this.#leave()
    const isCovered = this.#readOn !== undefined || this.#budget.covers(this.#output)
    if (isCovered || this.#budget.growFreely(this.#output)) this.#giveOut(ended)
    else this.#askForMore(ended)
  }

  #giveOut(ended: Ended | undefined): void {
    this.#output.given()
    this.#flush()
    if (ended?.error !== undefined && (this.#failure !== undefined || !this.#tokenSeen))
      this.#break(upstreamError(ended.error))
    else if (this.#failure !== undefined) this.#break(this.#failure)
    // A connection that broke behind the last event: the answer is complete all the same.
    else if (ended !== undefined) this.#finish()
  }

  onEvent(parts: readonly StreamPart[], text: string): void {
    let content = false
    let finishes = false
    let counted: Usage | undefined
    for (const part of parts) {
      if (part.type === 'block-delta') {
        content = true
        this.#output.delta(part)
      } else if (part.type === 'block-start') {
        content ||= part.kind === 'tool-call' || part.kind === 'raw'
        this.#output.start(part)
      } else if (part.type === 'finish') finishes = true
      else if (part.type === 'usage') counted = part.usage
      else if (part.type === 'error') this.#failure ??= part.error
      else if (part.type === 'response-start') this.#tier = part.extensions['service_tier']
    }
    if (counted !== undefined) {
      this.#usage = counted
      this.#countedOf = this.#output.mostTokens
    }
    if (finishes) this.#finishSeen = true
    if (content && !this.#tokenSeen) this.#begin()
    if (this.#tokenSeen && (content || !this.#finishSeen)) {
      this.#outgoing += this.#held + text
      this.#held = ''
    } else if (finishes || this.#held.length < maxSilence) this.#held += text
  }

  onClientClosed(): void {
    if (this.#over || this.#readOn !== undefined) return
    this.#output.forgetRest()
    this.#given = this.#output.seen()
    if (!this.#isCounted && this.#call !== undefined && !this.#waitsForCredit) this.#beginReadingOn()
    if (this.#readOn === undefined) this.#leave()
  }

  /** The vendor has told its usage of the whole answer. */
  get #isCounted(): boolean {
    return this.#usage !== undefined && this.#finishSeen && this.#output.mostTokens <= this.#countedOf
  }

  /** The vendor goes on, and bills what it thought: it is read until it says how much that was. */
  #beginReadingOn(): void {
    if (!mayBillUnseen(this.attempt, this.#output.reasoningSeen)) return
    this.#readOn = this.#gateway.readOns.begin(() => this.#leave())
    if (this.#readOn === undefined) return
    this.#hasBegun()
    this.onDrain()
  }

  /** What the client left behind ends, with the usage that the vendor has told by now. */
  #leave(outcome = outcomeOfLeaving(this.#call)): void {
    this.#readOn?.done()
    this.#end(outcome, clientClosed(), { kind: 'none' })
  }

  onDrain(): void {
    if (!this.#paused) return
    this.#paused = false
    this.#resume()
  }

  /** A comment is no answer: whatever goes wrong behind it, another upstream may still be asked. */
  tick(nowMs: number): void {
    if (this.#readOn !== undefined) return
    const answers = this.status !== null && this.#errorBody === undefined
    if (!answers && !this.#request.headSent) return
    if (this.#request.headSent && nowMs - this.attempt.calledAtMs >= lastingAfterMs) this.#exchange.lasts()
    if (this.#paused || nowMs - this.#sentAtMs < keepAliveAfterMs) return
    this.#sendHead(!this.attempt.othersFollow)
    this.#send(this.#request.format.keepAlive)
  }

  #begin(): void {
    this.#tokenSeen = true
    this.#request.record.firstTokenMs = performance.now() - this.#exchange.startedAtMonotonicMs
    this.#sendHead(true)
    this.#hasBegun()
  }

  #hasBegun(): void {
    this.#begun?.resolve(this)
    this.#begun = undefined
  }

  /** @param certain before the first token another upstream may still have to serve: then nobody is named */
  #sendHead(certain: boolean): void {
    if (this.#request.headSent) return
    this.#request.headSent = true
    this.#exchange.startStream(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      ...this.#request.format.answerHeaders(this.#exchange.requestId),
      ...callerLimits(this.#request, this.#gateway),
      ...(certain ? servedBy(this.attempt) : undefined),
    })
  }

  /** All events that one read of the upstream brought go out in one write. */
  #flush(): void {
    if (this.#outgoing === '') return
    const events = this.#outgoing
    this.#outgoing = ''
    this.#send(events)
  }

  #send(latin1: string): void {
    this.#sentAtMs = performance.now()
    if (this.#exchange.write(latin1) || this.#paused || this.#over) return
    this.#paused = true
    this.#call?.pause()
  }

  #finish(): void {
    if (this.#readOn !== undefined) return this.#leave()
    this.#sendHead(true)
    const held = this.#held
    this.#end('completed', undefined, {
      kind: 'stream',
      text: (usage, cost) => held + this.#bridge.closing(usage, cost),
    })
  }

  /** The answer failed: another upstream may give one before the first token; later an event says so. */
  #break(failure: GatewayError, outcome: Outcome = 'upstream_cut'): void {
    if (this.#over) return
    // What the vendor refused after the client had left has cost nothing.
    if (this.#readOn !== undefined) return this.#leave(this.#errorBody === undefined ? undefined : 'failed')
    const error = toldError(failure, this.attempt.candidate.provider)
    if (this.#tokenSeen) {
      const { requestId } = this.#exchange
      this.#end(outcome, error, { kind: 'stream', text: () => this.#bridge.failing(error, requestId) })
    } else {
      this.#stop(error)
      this.#begun?.reject(error)
    }
  }

  /** Nothing more of the upstream is looked at; where it still talks, it is told to stop. */
  #stop(error: GatewayError | undefined): void {
    this.#over = true
    this.#gateway.ticker.remove(this)
    if (error !== undefined) this.#call?.abort(error)
  }

  #end(outcome: Outcome, error: GatewayError | undefined, tail: Tail): void {
    this.#stop(error)
    this.#output.forgetRest()
    const output = this.#given ?? this.#output
    const status = error?.type === 'client_closed_request' ? error.status : 200
    const finished = this.#finishSeen && (this.#isCounted || this.#usage === undefined)
    const tier = typeof this.#tier === 'string' ? this.#tier : undefined
    this.#ending = { outcome, status, error, usage: this.#usage, finished, tier, output, tail }
    this.#onEnding?.(this.#ending)
    this.#hasBegun()
  }

  /** The upstream waits meanwhile: what it says beyond the hold might not be paid. */
  #askForMore(ended: Ended | undefined): void {
    this.#waitsForCredit = true
    this.#call?.pause()
    this.#budget.grow(this.#output).then(
      (covered) => this.#asked(covered ? undefined : creditExhausted(), ended),
      (error: unknown) => {
        this.#gateway.log.warn({ error: String(error) }, 'a hold could not be extended')
        this.#asked(creditUnknown(), ended)
      },
    )
  }

  #asked(refused: GatewayError | undefined, ended: Ended | undefined): void {
    this.#waitsForCredit = false
    if (this.#over) return
    if (refused !== undefined) return this.#break(refused, 'credit_exhausted')
    this.#passOn(ended)
    if (this.#waitsForCredit) return
    const meanwhile = this.#endedMeanwhile
    this.#endedMeanwhile = undefined
    if (meanwhile !== undefined) this.#ended(meanwhile)
    else this.#resume()
  }

  #resume(): void {
    if (!this.#paused && !this.#waitsForCredit && !this.#over) this.#call?.resume()
  }

  /** What begins as JSON is no stream of events, whatever its head says: some vendors answer errors so. */
  #recognise(chunk: Buffer): void {
    const begin = chunk.toString('latin1').trimStart().charAt(0)
    this.#formatKnown = begin !== ''
    if (begin === '{' || begin === '[') this.#errorBody ??= []
  }

  #collectError(chunk: Buffer): void {
    this.#errorBytes += chunk.length
    if (this.#errorBytes <= maxErrorBytes) this.#errorBody?.push(chunk)
    else this.#break(this.#errorOfBody())
  }

  #errorOfBody(): GatewayError {
    const body = Buffer.concat(this.#errorBody ?? []).toString('utf8')
    const status = this.status ?? 0
    const answer = { status, retryAfter: this.#retryAfter, body }
    if (status < 200 || status > 299) return this.#vendorFormat.decodeError(refusedCall(this.attempt, answer))
    const error = errorOfBody(this.#vendorFormat, body)
    if (error !== undefined) return error
    const detail = `asked for a stream, got: ${describeUnreadable(body)}`
    return new GatewayError('upstream_error', 'The upstream did not answer with a stream.', { detail })
  }
}

/** The upstream has no more to say: it closed, or its connection broke. */
interface Ended {
  error: Error | undefined
}

function isJson(headers: UpstreamHeaders): boolean {
  return headerText(headers['content-type'])?.startsWith('application/json') === true
}
