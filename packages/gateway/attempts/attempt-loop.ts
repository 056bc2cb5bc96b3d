import { findRefusedMembers } from '@turnpike/dialects'
import { toGatewayError, type GatewayError } from '@turnpike/protocol'
import type { Answer } from '../answer/answer.ts'
import { withAttempts } from '../answer/attempts-header.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { Permit } from '../candidates/health/upstream-health.ts'
import { clientClosed } from '../context/client-closed.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt, Held } from '../context/stages.ts'
import { countHeldOutput } from '../metering/output-bound.ts'
import { mayLeaveOut, mayLeaveOutProofs } from '../outbound/body.ts'
import type { ReasonToPassOver } from '../records/request-record.ts'
import { loggable } from '../services/loggable.ts'
import { withoutCredential } from '../upstream/credentials/without-credential.ts'
import { isOwnFailure } from '../upstream/failure.ts'
import { toOwnKeyError } from './own-key-error.ts'
import { attemptRow } from './attempt-row.ts'
import { endCall, makeCall, prepareCall, receiverOf, type ReadyCall, type Receiver } from './call.ts'
import {
  isCredentialReady,
  isRenewed,
  refusalBy,
  waitForCredentialsMs,
  type AwaitingCredential,
} from './credential-turn.ts'
import { toFailedAnswer } from './failed-answer.ts'
import { dropBody } from './drop-request.ts'
import { toUnansweredError, type UnansweredCandidate } from './unanswered.ts'

/**
 * How many of an account's own keys one request may use. Without this limit, fifty keys would mean fifty
 * calls per request, all from the gateway's address.
 */
const mostOwnKeys = 8
const nothing: readonly string[] = []
const noneAwaiting: readonly AwaitingCredential[] = []

/** What a candidate rejected in the request. The retry omits it. */
interface RetryOptions extends Pick<Attempt, 'refused' | 'withoutProofs'> {
  /** The candidate also rejected its credential; the retry uses a newer one. */
  withNewer: boolean
}

const firstTry: RetryOptions = { refused: nothing, withoutProofs: false, withNewer: false }

/** Tries the candidates of one request in turn, and tracks what became of each and how much time is left. */
export class AttemptLoop {
  readonly #request: Held
  readonly #gateway: Gateway
  /** Every candidate so far that gave no answer. */
  #unanswered: UnansweredCandidate[] = []
  /** Why the model that the caller named cannot be sent this request. */
  #refusal: GatewayError | undefined
  /** A model whose context is at most this long cannot take the request. */
  #tooShort = 0
  /** When the whole answer must be complete, on the monotonic clock. */
  #deadlineMs = Infinity
  #triedCount = 0
  #ownKeysTried = 0
  /** Members that a vendor rejected by name and that a retry omitted. */
  #leftOut = nothing
  /** Candidates that could still be used if their credential arrives in time. */
  #awaitingCredential: readonly AwaitingCredential[] = noneAwaiting
  #called = false

  constructor(request: Held, gateway: Gateway) {
    this.#request = request
    this.#gateway = gateway
  }

  /**
   * Undefined if the next candidate may be tried. Not `async`: returning the call's promise from there would
   * cost every request two more promises.
   * @throws {GatewayError} if no other candidate can do better
   */
  ask(candidate: Candidate): undefined | Promise<Answer | undefined> {
    this.#triedCount++
    const nowMs = performance.now()
    if (candidate.model.contextLength <= this.#tooShort) return this.#passOver(candidate, 'context-too-short')
    if (nowMs >= this.#deadlineMs) return this.#passOver(candidate, 'no-time-left')
    const isOwn = candidate.own !== undefined
    if (isOwn && this.#ownKeysTried >= mostOwnKeys) return this.#passOver(candidate, 'enough-own-keys')
    const permit = candidate.health.tryAcquire(nowMs, this.#accountId)
    if (permit === undefined) return this.#passOver(candidate, 'resting')
    if (isOwn) this.#ownKeysTried++
    return this.#call(candidate, permit, nowMs, firstTry)
  }

  /**
   * If no candidate could be called, calls one that is in cooldown only because its key was rejected. The
   * operator may have replaced the key by now, and a model with only one upstream has no other candidate.
   */
  async askRefusedCandidate(): Promise<Answer | undefined> {
    if (this.#called) return undefined
    const nowMs = performance.now()
    for (const candidate of this.#request.candidates) {
      const permit = candidate.health.tryAcquireRefused(nowMs, this.#accountId)
      if (permit === undefined) continue
      // The outcome of this call replaces the cooldown as the reason.
      this.#unanswered = this.#unanswered.filter(({ passedOver }) => passedOver !== candidate)
      return this.#call(candidate, permit, nowMs, firstTry)
    }
    return undefined
  }

  /**
   * If no candidate answered, waits at most two seconds for the candidates that lack only a credential. A
   * valid credential never waits, and all other candidates are tried first.
   */
  async askAfterCredentials(): Promise<Answer | undefined> {
    const unproven = this.#awaitingCredential
    if (unproven === noneAwaiting) return undefined
    this.#awaitingCredential = noneAwaiting
    const untilMs = performance.now() + waitForCredentialsMs(unproven, this.#deadlineMs - performance.now())
    for (const one of unproven) {
      const { candidate } = one
      const isProven = await isCredentialReady(one, untilMs - performance.now())
      if (this.#request.exchange.clientClosed) return this.#end(clientClosed())
      const nowMs = performance.now()
      const permit = isProven ? candidate.health.tryAcquire(nowMs, this.#accountId) : undefined
      const lacked = this.#unanswered.find(({ passedOver }) => passedOver === candidate)
      // By now the reason why there is no credential may be known.
      if (permit === undefined && lacked?.error !== undefined)
        lacked.error = withoutCredential(candidate.credential)
      if (permit === undefined) continue
      this.#unanswered = this.#unanswered.filter((other) => other !== lacked)
      const answer = await this.#call(candidate, permit, nowMs, { ...firstTry, withNewer: true })
      if (answer !== undefined) return answer
    }
    return undefined
  }

  async #call(
    candidate: Candidate,
    permit: Permit,
    nowMs: number,
    refused: RetryOptions,
  ): Promise<Answer | undefined> {
    const attempt = this.#beginAttempt(candidate, refused)
    let call: ReadyCall | undefined
    try {
      const made = prepareCall(attempt, this.#gateway)
      call = made instanceof Promise ? await made : made
    } catch (thrown) {
      return this.#handleUnsupported(attempt, permit, toGatewayError(thrown))
    }
    // Nothing listened to the client while the request waited for credit or media, or between two attempts.
    if (this.#request.exchange.clientClosed) {
      candidate.health.release(permit)
      return this.#end(clientClosed())
    }
    if (call === undefined) return this.#handleNoCredential(candidate, permit)
    this.#called = true
    this.#limitTime(call, nowMs)
    const mayBeLess = this.#leftOut === nothing && mayLeaveOut(attempt, call.vendorFormat)
    const { members } = this.#request
    const isNeeded = attempt.othersFollow || mayBeLess || mayLeaveOutProofs(attempt, call.vendorFormat)
    const mayBeProven = this.#awaitingCredential !== noneAwaiting || isRenewed(candidate)
    if (!isNeeded && !mayBeProven && call.parts === undefined) dropBody(this.#request)
    let receiver: Receiver | undefined
    try {
      receiver = receiverOf(call, attempt, this.#gateway)
      const answer = await makeCall(call, attempt, receiver, this.#gateway)
      endCall(attempt, receiver)
      this.#recordAnswer(attempt, permit)
      return answer
    } catch (thrown) {
      if (receiver !== undefined) endCall(attempt, receiver, thrown)
      const error = toGatewayError(thrown)
      if (error.reason === 'key-refused' && isRenewed(candidate) && !refused.withNewer) {
        const refusal = refusalBy(attempt, call)
        if (candidate.credential.handleRefusal(refusal) === 'again')
          return this.#retryWithNewCredential(candidate, permit, refused)
        this.#awaitingCredential = [...this.#awaitingCredential, { candidate, refusal }]
      }
      const less = this.#isProofRefused(error, attempt)
        ? { ...refused, withoutProofs: true }
        : this.#retryOnceWithout(mayBeLess ? this.#findRefusedMembers(error, members) : nothing, refused)
      return less === undefined
        ? this.#recordFailure(attempt, permit, error)
        : this.retryWithout(less, attempt, permit, error)
    }
  }

  /** The upstream was never called, so its health does not change. */
  #handleNoCredential(candidate: Candidate, permit: Permit): undefined {
    candidate.health.release(permit)
    this.#awaitingCredential = [...this.#awaitingCredential, { candidate }]
    return this.#passOver(candidate, 'no-credential', withoutCredential(candidate.credential))
  }

  /** Omits the proofs of reasoning once per candidate: a proof may come from another candidate's key. */
  #isProofRefused({ reason }: GatewayError, { withoutProofs }: Attempt): boolean {
    const { operation, call } = this.#request
    return reason === 'proof-refused' && !withoutProofs && operation.proofs?.isIn(call.request) === true
  }

  /** At most once per request. */
  #retryOnceWithout(names: readonly string[], refused: RetryOptions): RetryOptions | undefined {
    if (names === nothing) return undefined
    this.#leftOut = names
    return { ...refused, refused: names }
  }

  /** Members that a vendor of the caller's own format rejected by name and that may be omitted. */
  #findRefusedMembers(error: GatewayError, members: Held['members']): readonly string[] {
    const names = members.map(({ key }) => key)
    const { call, operation } = this.#request
    const found = findRefusedMembers(operation.fieldRules, error, names, call.request)
    return found.length === 0 ? nothing : found
  }

  /** Calls the candidate once more: a rejection costs nothing, and no part of an answer has gone out. */
  async retryWithout(
    less: RetryOptions,
    attempt: Attempt,
    permit: Permit,
    error: GatewayError,
  ): Promise<Answer | undefined> {
    const { candidate, row } = attempt
    const nowMs = performance.now()
    candidate.health.recordFailure(permit, error, { nowMs, result: row.result, accountId: this.#accountId })
    if (this.#request.exchange.clientClosed) return this.#end(clientClosed())
    const again = candidate.health.tryAcquire(nowMs, this.#accountId)
    if (again === undefined) return this.#end(error)
    return this.#call(candidate, again, nowMs, less)
  }

  /** The rejected credential has been replaced since, so its rejection starts no cooldown. */
  async #retryWithNewCredential(
    candidate: Candidate,
    permit: Permit,
    refused: RetryOptions,
  ): Promise<Answer | undefined> {
    candidate.health.release(permit)
    if (this.#request.exchange.clientClosed) return this.#end(clientClosed())
    const nowMs = performance.now()
    const again = candidate.health.tryAcquire(nowMs, this.#accountId)
    if (again === undefined) return this.#passOver(candidate, 'resting')
    return this.#call(candidate, again, nowMs, { ...refused, withNewer: true })
  }

  /**
   * If no upstream of the model that the caller named supports the request, that is the caller's mistake, and
   * no fallback model must hide it. Does not apply if auto-routing chose the model.
   * @throws {GatewayError} 400
   */
  requireSupported({ model }: Candidate): void {
    const { candidates, route } = this.#request
    const refusal = this.#refusal
    if (refusal === undefined || route !== undefined || model !== candidates[0]!.model) return
    if (this.#unanswered.every(({ reason }) => reason === 'unsupported')) throw refusal
  }

  /**
   * Ends a request that no candidate answered. If the head of a stream has already gone out, returns an
   * answer that reports the error.
   * @throws {GatewayError}
   */
  endUnanswered(): Answer {
    return this.#end(this.#sharedRefusal() ?? toUnansweredError(this.#unanswered))
  }

  /** @throws {GatewayError} unless the head of a stream has gone out */
  #end(refused: GatewayError): Answer {
    const error = withAttempts(refused, this.#request)
    const { headSent, attempt } = this.#request
    if (!headSent || attempt === undefined) throw error
    this.#logInternalError(error)
    return toFailedAnswer(attempt, error)
  }

  /** Logs an internal error that a stream reports: it is not thrown, so nothing else logs it. */
  #logInternalError({ status, detail, message }: GatewayError): void {
    if (status !== 500) return
    const { exchange, call, operation } = this.#request
    const quotable = operation.quotable(call.request)
    const fields = { requestId: exchange.requestId, status, detail: loggable(detail ?? '', quotable) }
    this.#gateway.log.error(fields, loggable(message, quotable))
  }

  #sharedRefusal(): GatewayError | undefined {
    return this.#unanswered.every(({ reason }) => reason === 'unsupported') ? this.#refusal : undefined
  }

  get #accountId(): string {
    return this.#request.key.accountId
  }

  #beginAttempt(candidate: Candidate, { refused, withoutProofs }: RetryOptions): Attempt {
    const request = this.#request
    const attempt: Attempt = {
      request,
      candidate,
      row: attemptRow(candidate, 'ok'),
      heldOutputTokens: countHeldOutput(request, candidate.model),
      dropped: withoutProofs ? [...refused, ...proofsIn(request)] : refused,
      refused,
      withoutProofs,
      failedHead: undefined,
      othersFollow: this.#triedCount < request.candidates.length,
      calledAtMs: 0,
    }
    request.attempt = attempt
    const { record } = request
    record.provider = candidate.provider.name
    record.modelTried = candidate.model.id
    const { prices } = candidate
    const isPriced = prices.own !== 'unpriced'
    record.priceVersion = isPriced ? prices.version : null
    record.pricing = isPriced ? prices.pricing : null
    record.markup = prices.markup
    record.isByok = candidate.own === undefined ? undefined : true
    return attempt
  }

  /** Returns undefined if the error concerns what the request contains, so another candidate may be tried. */
  #handleUnsupported({ candidate }: Attempt, permit: Permit, error: GatewayError): Answer | undefined {
    candidate.health.release(permit)
    if (error.type !== 'invalid_request_error') return this.#end(error)
    if (candidate.model === this.#request.candidates[0]!.model) this.#refusal ??= error
    return this.#passOver(candidate, 'unsupported', error)
  }

  /** The first candidate's total timeout is the whole request's; later candidates get what is left. */
  #limitTime({ outbound }: ReadyCall, nowMs: number): void {
    const { totalMs } = outbound.timeouts
    if (this.#deadlineMs === Infinity) this.#deadlineMs = nowMs + totalMs
    else {
      const leftMs = Math.max(1, Math.ceil(this.#deadlineMs - nowMs))
      if (leftMs < totalMs) outbound.timeouts = { ...outbound.timeouts, totalMs: leftMs }
    }
  }

  #recordAnswer({ candidate, row }: Attempt, permit: Permit): void {
    const { health } = candidate
    const { exchange, call } = this.#request
    if (exchange.clientClosed) health.release(permit)
    else {
      const { stream: streamed } = call.request
      const nowMs = performance.now()
      health.recordAnswer(permit, { nowMs, tookMs: row.durationMs, streamed, accountId: this.#accountId })
    }
  }

  #recordFailure(
    { candidate, row, othersFollow }: Attempt,
    permit: Permit,
    vendorError: GatewayError,
  ): Answer | undefined {
    const { exchange, call, operation } = this.#request
    const error = toOwnKeyError(vendorError, candidate)
    if (candidate.own !== undefined && error.reason === 'key-refused')
      this.#gateway.ownKeys?.noteRefusal(candidate.own)
    const nowMs = performance.now()
    const { provider, model, result } = row
    if (isOwnFailure(error)) candidate.health.release(permit)
    else candidate.health.recordFailure(permit, error, { nowMs, result, accountId: this.#accountId })
    if (!mayOthersAnswer(error)) return this.#end(error)
    if (error.reason === 'context-too-long') this.#tooShort = candidate.model.contextLength
    this.#unanswered.push({
      reason: result,
      error,
      waitMs: candidate.health.waitMs(nowMs, this.#accountId),
      restReason: undefined,
    })
    if (!othersFollow) return undefined
    const { detail: errorDetail } = error
    const detail =
      errorDetail === undefined ? undefined : loggable(errorDetail, operation.quotable(call.request))
    const fields = { requestId: exchange.requestId, provider, model, result, detail }
    this.#gateway.log.warn(fields, 'an upstream failed: trying the next one')
    return undefined
  }

  #passOver(candidate: Candidate, reason: ReasonToPassOver, error?: GatewayError): undefined {
    const { health } = candidate
    const waitMs = reason === 'resting' ? health.waitMs(performance.now(), this.#accountId) : 0
    const restReason = health.restReason(this.#accountId)
    this.#unanswered.push({ passedOver: candidate, reason, error, waitMs, restReason })
    // If there is no other candidate, an unsupported request made no attempt.
    if (reason !== 'unsupported' || this.#request.candidates.length > 1)
      this.#request.record.attempts.push(attemptRow(candidate, reason))
    return undefined
  }
}

function proofsIn({ operation, call }: Held): readonly string[] {
  return operation.proofs?.at(call.request) ?? nothing
}

/** Whether another candidate may succeed after this error. */
function mayOthersAnswer({ retryable, reason, type }: GatewayError): boolean {
  const elsewhere = reason === 'context-too-long' || reason === 'request-too-large'
  return retryable || elsewhere || type === 'not_found_error'
}
