import type { BridgeHead, VendorFormat } from '@turnpike/dialects'
import type { GatewayError, Outcome } from '@turnpike/protocol'
import { clientClosed, outcomeOfLeaving } from '../../context/client-closed.ts'
import type { Ending, OutputSeen, Tail } from '../../context/ending.ts'
import type { ExchangeListener } from '../../context/exchange.ts'
import type { Gateway } from '../../context/gateway.ts'
import type { Attempt } from '../../context/stages.ts'
import type { BackgroundRead } from '../../services/background-reads.ts'
import {
  headerText,
  type UpstreamCall,
  type UpstreamHeaders,
  type UpstreamReceiver,
} from '../../upstream/client.ts'
import { upstreamError } from '../../upstream/failure.ts'
import { parseFailureHead, startBackgroundRead, type Answer } from '../answer.ts'
import { redactError } from '../redact-error.ts'
import { ClientStream, type ClientStreamListener } from './client-stream.ts'
import { beginsAsJson, ErrorPage } from './error-page.ts'
import { OutputBudget } from './output-budget.ts'
import { AnswerStream } from './answer-stream.ts'

/**
 * Receives a streamed answer: what the upstream sends is interpreted (`AnswerStream`), paid for
 * (`OutputBudget`) and written to the client (`ClientStream`). The answer begins with its first token, so a
 * failure before it is an error with a status.
 */
export class StreamReceiver implements UpstreamReceiver, ExchangeListener, ClientStreamListener, Answer {
  readonly attempt: Attempt
  readonly #gateway: Gateway
  readonly #stream: AnswerStream
  readonly #budget: OutputBudget
  readonly #client: ClientStream
  /** Undefined once the answer has begun, or failed: an open stream need not keep the promise. */
  #begun: PromiseWithResolvers<Answer> | undefined = Promise.withResolvers<Answer>()
  #ending: Ending | undefined
  #onEnding: ((ending: Ending) => void) | undefined
  #call: UpstreamCall | undefined
  #isRecognised = false
  /** Set if the response is not a stream. */
  #errorPage: ErrorPage | undefined
  /** How the upstream ended while the stream waited for credit. */
  #endedMeanwhile: Ended | undefined
  /** Set once the client has left and the answer is read for its usage; with what the client got. */
  #backgroundRead: BackgroundRead | undefined
  #delivered: OutputSeen | undefined
  #over = false
  status: number | null = null

  constructor(attempt: Attempt, vendorFormat: VendorFormat, head: BridgeHead, gateway: Gateway) {
    this.attempt = attempt
    this.#gateway = gateway
    this.#stream = new AnswerStream(attempt, vendorFormat, head)
    this.#budget = new OutputBudget(attempt, gateway)
    this.#client = new ClientStream(attempt, gateway, this)
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
    const isStream = status >= 200 && status <= 299 && !isJson(headers)
    if (isStream) this.#client.isAnswered = true
    else this.#errorPage = new ErrorPage(parseFailureHead(headers))
  }

  onData(chunk: Buffer): void {
    if (this.#over) return
    if (!this.#isRecognised) this.#recognise(chunk)
    if (this.#errorPage !== undefined) {
      if (!this.#errorPage.add(chunk)) this.#break(this.#errorOf(this.#errorPage))
      return
    }
    const { hasBegun } = this.#stream
    this.#stream.push(chunk)
    if (this.#stream.hasBegun && !hasBegun) this.#begin()
    this.#passOn(undefined)
  }

  onEnd(): void {
    this.#handleEnd({ error: undefined })
  }

  onError(error: Error): void {
    this.#handleEnd({ error })
  }

  #handleEnd(ended: Ended): void {
    if (this.#over) return
    if (this.#budget.isWaiting) {
      this.#endedMeanwhile = ended
      return
    }
    if (ended.error === undefined && this.#errorPage !== undefined)
      return this.#break(this.#errorOf(this.#errorPage))
    const { hasBegun } = this.#stream
    this.#stream.end(ended.error !== undefined)
    if (this.#stream.hasBegun && !hasBegun) this.#begin()
    this.#passOn(ended)
  }

  /** Passes on what has arrived, once the hold covers it. More may arrive although the upstream is paused. */
  #passOn(ended: Ended | undefined): void {
    if (this.#budget.isWaiting) return
    const { output } = this.#stream
    if (this.#backgroundRead !== undefined && this.#budget.isFarExceeded(output)) return this.#leave()
    if (this.#backgroundRead !== undefined || this.#budget.admits(output)) this.#giveOut(ended)
    else this.#waitForCredit(ended)
  }

  #giveOut(ended: Ended | undefined): void {
    const stream = this.#stream
    stream.output.markDelivered()
    // All events that one read from the upstream brought go out in one write.
    const events = stream.takeOutgoing()
    if (events !== '' && this.#backgroundRead === undefined) this.#client.write(events)
    if (ended?.error !== undefined && (stream.failure !== undefined || !stream.hasBegun))
      this.#break(upstreamError(ended.error))
    else if (stream.failure !== undefined) this.#break(stream.failure)
    // If the connection broke after the last event, the answer is complete all the same.
    else if (ended !== undefined) this.#finish()
  }

  /** The upstream pauses meanwhile: output beyond the hold might not be paid. */
  #waitForCredit(ended: Ended | undefined): void {
    this.#call?.pause()
    void this.#budget.waitFor(this.#stream.output).then((refused) => this.#handleCreditAnswer(refused, ended))
  }

  #handleCreditAnswer(refused: GatewayError | undefined, ended: Ended | undefined): void {
    if (this.#over) return
    if (refused !== undefined)
      return this.#break(refused, refused.type === 'upstream_error' ? 'upstream_cut' : 'credit_exhausted')
    this.#passOn(ended)
    if (this.#budget.isWaiting) return
    const meanwhile = this.#endedMeanwhile
    this.#endedMeanwhile = undefined
    if (meanwhile !== undefined) this.#handleEnd(meanwhile)
    else this.#resume()
  }

  onFull(): void {
    this.#call?.pause()
  }

  onDrain(): void {
    if (!this.#client.isFull) return
    this.#client.isFull = false
    this.#resume()
  }

  #resume(): void {
    if (!this.#client.isFull && !this.#budget.isWaiting && !this.#over) this.#call?.resume()
  }

  onClientClosed(): void {
    if (this.#over || this.#backgroundRead !== undefined) return
    const { output, isCounted } = this.#stream
    output.forgetRest()
    this.#delivered = output.snapshot()
    const goesOn = this.#call !== undefined && !isCounted && !this.#budget.isWaiting
    if (goesOn)
      this.#backgroundRead = startBackgroundRead(this.attempt, output.reasoningSeen, this.#gateway, () =>
        this.#leave(),
      )
    if (this.#backgroundRead === undefined) return this.#leave()
    this.#client.rest()
    this.#hasBegun()
    this.onDrain()
  }

  /** Ends an answer whose client has left, with the usage that the vendor has reported so far. */
  #leave(outcome = outcomeOfLeaving(this.#call)): void {
    this.#backgroundRead?.finish()
    this.#end(outcome, clientClosed(), { kind: 'none' })
  }

  #begin(): void {
    const { record, exchange } = this.attempt.request
    record.firstTokenMs = performance.now() - exchange.startedAtMonotonicMs
    try {
      this.#client.open(true)
    } catch (error) {
      this.#stream.fail(error as Error)
    }
    this.#hasBegun()
  }

  #hasBegun(): void {
    this.#begun?.resolve(this)
    this.#begun = undefined
  }

  #finish(): void {
    if (this.#backgroundRead !== undefined) return this.#leave()
    this.#client.open(true)
    this.#end('completed', undefined, {
      kind: 'stream',
      text: (usage, cost) => this.#stream.closing(usage, cost),
    })
  }

  /** The answer failed. Before the first token another upstream may be tried; later an event reports it. */
  #break(failure: GatewayError, outcome: Outcome = 'upstream_cut'): void {
    if (this.#over) return
    // What the vendor rejected after the client had left cost nothing.
    if (this.#backgroundRead !== undefined)
      return this.#leave(this.#errorPage === undefined ? undefined : 'failed')
    const { request, candidate } = this.attempt
    const error = redactError(failure, candidate)
    if (this.#stream.hasBegun) {
      const { requestId } = request.exchange
      this.#end(outcome, error, { kind: 'stream', text: () => this.#stream.failing(error, requestId) })
    } else {
      this.#stop(error)
      this.#begun?.reject(error)
    }
  }

  /** Ignores what the upstream sends from now on. After an error, also aborts the call. */
  #stop(error: GatewayError | undefined): void {
    this.#over = true
    this.#client.rest()
    if (error !== undefined) this.#call?.abort(error)
  }

  #end(outcome: Outcome, error: GatewayError | undefined, tail: Tail): void {
    this.#stop(error)
    const { output, usage, isFinished: finished, tier } = this.#stream
    output.forgetRest()
    const status = error?.type === 'client_closed_request' ? error.status : 200
    this.#ending = {
      outcome,
      status,
      error,
      usage,
      finished,
      tier,
      output: this.#delivered ?? output.snapshot(),
      tail,
    }
    output.free()
    this.#onEnding?.(this.#ending)
    this.#hasBegun()
  }

  #recognise(chunk: Buffer): void {
    const begin = chunk.toString('latin1').trimStart()
    this.#isRecognised = begin !== ''
    if (!beginsAsJson(begin)) return
    this.#errorPage ??= new ErrorPage(parseFailureHead({}))
    this.#client.isAnswered = false
  }

  #errorOf(page: ErrorPage): GatewayError {
    return page.error(this.attempt, this.status ?? 0)
  }
}

/** The upstream sends no more: it closed the connection, or the connection broke. */
interface Ended {
  error: Error | undefined
}

function isJson(headers: UpstreamHeaders): boolean {
  return headerText(headers['content-type'])?.startsWith('application/json') === true
}
