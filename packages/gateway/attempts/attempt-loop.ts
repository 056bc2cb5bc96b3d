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
import { makeCall, prepareCall, type ReadyCall } from './call.ts'
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
 * Own keys that one request is sent by: who brings fifty is not to make fifty calls of each, at a host that
 * knows the gateway's address alone.
 */
const mostOwnKeys = 8
const nothing: readonly string[] = []
const noneAwaiting: readonly AwaitingCredential[] = []

/** What a candidate has refused of the request, and is asked without. */
interface RetryOptions extends Pick<Attempt, 'refused' | 'withoutProofs'> {
  /** It has refused its credential too, and is asked with a newer one. */
  withNewer: boolean
}

const firstTry: RetryOptions = { refused: nothing, withoutProofs: false, withNewer: false }

/** One request's way along its candidates: what became of them, and the time that is left. */
export class AttemptLoop {
  readonly #request: Held
  readonly #gateway: Gateway
  /** All candidates but the one that answered. */
  #unanswered: UnansweredCandidate[] = []
  /** What cannot be said to the model that the caller named. */
  #refusal: GatewayError | undefined
  /** A model with so short a context cannot hold the request. */
  #tooShort = 0
  /** On the monotonic clock: until then somebody's answer must be complete. */
  #deadlineMs = Infinity
  #asked = 0
  #askedByOwn = 0
  /** What somebody refused by name and was asked without. */
  #leftOut = nothing
  /** Whom a credential that comes in time might help. */
  #awaitingCredential: readonly AwaitingCredential[] = noneAwaiting
  #called = false

  constructor(request: Held, gateway: Gateway) {
    this.#request = request
    this.#gateway = gateway
  }

  /**
   * Undefined: another one may be asked.
   * @throws {GatewayError} about what no other one can help
   */
  async ask(candidate: Candidate): Promise<Answer | undefined> {
    this.#asked++
    const nowMs = performance.now()
    if (candidate.model.contextLength <= this.#tooShort) return this.#passOver(candidate, 'context-too-short')
    if (nowMs >= this.#deadlineMs) return this.#passOver(candidate, 'no-time-left')
    const isOwn = candidate.own !== undefined
    if (isOwn && this.#askedByOwn >= mostOwnKeys) return this.#passOver(candidate, 'enough-own-keys')
    const leave = candidate.health.tryAcquire(nowMs, this.#accountId)
    if (leave === undefined) return this.#passOver(candidate, 'resting')
    if (isOwn) this.#askedByOwn++
    return this.#call(candidate, leave, nowMs, firstTry)
  }

  /**
   * Where nobody could be asked, one that rests only since its key was refused: better than to tell a caller
   * of a rest that the operator may have ended, and a lone upstream has no other that could be asked instead.
   */
  async askRefusedCandidate(): Promise<Answer | undefined> {
    if (this.#called) return undefined
    const nowMs = performance.now()
    for (const candidate of this.#request.candidates) {
      const leave = candidate.health.tryAcquireRefused(nowMs, this.#accountId)
      if (leave === undefined) continue
      // What it says now goes before what it rested for.
      this.#unanswered = this.#unanswered.filter(({ passedOver }) => passedOver !== candidate)
      return this.#call(candidate, leave, nowMs, firstTry)
    }
    return undefined
  }

  /**
   * Where nobody answered, whoever lacks nothing but a credential: it is waited for, two seconds at most. A
   * good one never waits, and others are asked before.
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
      const leave = isProven ? candidate.health.tryAcquire(nowMs, this.#accountId) : undefined
      const lacked = this.#unanswered.find(({ passedOver }) => passedOver === candidate)
      // Why there is none may be known by now.
      if (leave === undefined && lacked?.error !== undefined)
        lacked.error = withoutCredential(candidate.credential)
      if (leave === undefined) continue
      this.#unanswered = this.#unanswered.filter((other) => other !== lacked)
      const answer = await this.#call(candidate, leave, nowMs, { ...firstTry, withNewer: true })
      if (answer !== undefined) return answer
    }
    return undefined
  }

  async #call(
    candidate: Candidate,
    leave: Permit,
    nowMs: number,
    refused: RetryOptions,
  ): Promise<Answer | undefined> {
    const attempt = this.#beginAttempt(candidate, refused)
    let call: ReadyCall | undefined
    try {
      const made = prepareCall(attempt, this.#gateway)
      call = made instanceof Promise ? await made : made
    } catch (thrown) {
      return this.#handleUnsupported(attempt, leave, toGatewayError(thrown))
    }
    // Nothing was listening while credit was waited for or media were fetched, or between two attempts.
    if (this.#request.exchange.clientClosed) {
      candidate.health.release(leave)
      return this.#end(clientClosed())
    }
    if (call === undefined) return this.#handleNoCredential(candidate, leave)
    this.#called = true
    this.#limitTime(call, nowMs)
    const mayBeLess = this.#leftOut === nothing && mayLeaveOut(attempt, call.vendorFormat)
    const { members } = this.#request
    const isNeeded = attempt.othersFollow || mayBeLess || mayLeaveOutProofs(attempt, call.vendorFormat)
    const mayBeProven = this.#awaitingCredential !== noneAwaiting || isRenewed(candidate)
    if (!isNeeded && !mayBeProven && call.parts === undefined) dropBody(this.#request)
    try {
      const answer = await makeCall(call, attempt, this.#gateway)
      this.#recordAnswer(attempt, leave)
      return answer
    } catch (thrown) {
      const error = toGatewayError(thrown)
      if (error.reason === 'key-refused' && isRenewed(candidate) && !refused.withNewer) {
        const refusal = refusalBy(attempt, call)
        if (candidate.credential.handleRefusal(refusal) === 'again')
          return this.#retryWithNewCredential(candidate, leave, refused)
        this.#awaitingCredential = [...this.#awaitingCredential, { candidate, refusal }]
      }
      const less = this.#isProofRefused(error, attempt)
        ? { ...refused, withoutProofs: true }
        : this.#retryOnceWithout(mayBeLess ? this.#findRefusedMembers(error, members) : nothing, refused)
      return less === undefined
        ? this.#recordFailure(attempt, leave, error)
        : this.retryWithout(less, attempt, leave, error)
    }
  }

  /** It was never called: nothing was learnt of it. */
  #handleNoCredential(candidate: Candidate, leave: Permit): undefined {
    candidate.health.release(leave)
    this.#awaitingCredential = [...this.#awaitingCredential, { candidate }]
    return this.#passOver(candidate, 'no-credential', withoutCredential(candidate.credential))
  }

  /** Once at each candidate: another one's key may be the one that made it. */
  #isProofRefused({ reason }: GatewayError, { withoutProofs }: Attempt): boolean {
    const { operation, call } = this.#request
    return reason === 'proof-refused' && !withoutProofs && operation.proofs?.isIn(call.request) === true
  }

  /** Once in a request. */
  #retryOnceWithout(names: readonly string[], refused: RetryOptions): RetryOptions | undefined {
    if (names === nothing) return undefined
    this.#leftOut = names
    return { ...refused, refused: names }
  }

  /** Of a vendor of the caller's own format: what it refuses by name, and may be left out. */
  #findRefusedMembers(error: GatewayError, members: Held['members']): readonly string[] {
    const names = members.map(({ key }) => key)
    const { call, operation } = this.#request
    const found = findRefusedMembers(operation.fieldRules, error, names, call.request)
    return found.length === 0 ? nothing : found
  }

  /** Once more: a refusal costs nothing, and nothing of an answer has gone out. */
  async retryWithout(
    less: RetryOptions,
    attempt: Attempt,
    leave: Permit,
    error: GatewayError,
  ): Promise<Answer | undefined> {
    const { candidate, row } = attempt
    const nowMs = performance.now()
    candidate.health.recordFailure(leave, error, { nowMs, result: row.result, accountId: this.#accountId })
    if (this.#request.exchange.clientClosed) return this.#end(clientClosed())
    const again = candidate.health.tryAcquire(nowMs, this.#accountId)
    if (again === undefined) return this.#end(error)
    return this.#call(candidate, again, nowMs, less)
  }

  /** The credential that was refused is not the one that is there by now: it is no reason to rest. */
  async #retryWithNewCredential(
    candidate: Candidate,
    leave: Permit,
    refused: RetryOptions,
  ): Promise<Answer | undefined> {
    candidate.health.release(leave)
    if (this.#request.exchange.clientClosed) return this.#end(clientClosed())
    const nowMs = performance.now()
    const again = candidate.health.tryAcquire(nowMs, this.#accountId)
    if (again === undefined) return this.#passOver(candidate, 'resting')
    return this.#call(candidate, again, nowMs, { ...refused, withNewer: true })
  }

  /**
   * What a caller asks of the model that it named, and no upstream of that can be asked, is its mistake: no
   * other model is to hide it. Where auto-routing chose the model, nobody named it.
   * @throws {GatewayError} 400
   */
  requireSupported({ model }: Candidate): void {
    const { candidates, route } = this.#request
    const refusal = this.#refusal
    if (refusal === undefined || route !== undefined || model !== candidates[0]!.model) return
    if (this.#unanswered.every(({ reason }) => reason === 'unsupported')) throw refusal
  }

  /**
   * Nobody answered. Where the head of a stream has gone out already, an answer that says so.
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

  /** A mistake of ours, that is told in a stream and so not thrown. */
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
      othersFollow: this.#asked < request.candidates.length,
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

  /** Undefined where it is for what the request says, so that another one may be asked. */
  #handleUnsupported({ candidate }: Attempt, leave: Permit, error: GatewayError): Answer | undefined {
    candidate.health.release(leave)
    if (error.type !== 'invalid_request_error') return this.#end(error)
    if (candidate.model === this.#request.candidates[0]!.model) this.#refusal ??= error
    return this.#passOver(candidate, 'unsupported', error)
  }

  /** The first one's time is the whole request's: those after it have what it left. */
  #limitTime({ outbound }: ReadyCall, nowMs: number): void {
    const { totalMs } = outbound.timeouts
    if (this.#deadlineMs === Infinity) this.#deadlineMs = nowMs + totalMs
    else {
      const leftMs = Math.max(1, Math.ceil(this.#deadlineMs - nowMs))
      if (leftMs < totalMs) outbound.timeouts = { ...outbound.timeouts, totalMs: leftMs }
    }
  }

  #recordAnswer({ candidate, row }: Attempt, leave: Permit): void {
    const { health } = candidate
    const { exchange, call } = this.#request
    if (exchange.clientClosed) health.release(leave)
    else {
      const { stream: streamed } = call.request
      const nowMs = performance.now()
      health.recordAnswer(leave, { nowMs, tookMs: row.durationMs, streamed, accountId: this.#accountId })
    }
  }

  #recordFailure(
    { candidate, row, othersFollow }: Attempt,
    leave: Permit,
    said: GatewayError,
  ): Answer | undefined {
    const { exchange, call, operation } = this.#request
    const error = toOwnKeyError(said, candidate)
    if (candidate.own !== undefined && error.reason === 'key-refused')
      this.#gateway.ownKeys?.noteRefusal(candidate.own)
    const nowMs = performance.now()
    const { provider, model, result } = row
    if (isOwnFailure(error)) candidate.health.release(leave)
    else candidate.health.recordFailure(leave, error, { nowMs, result, accountId: this.#accountId })
    if (!mayOthersAnswer(error)) return this.#end(error)
    if (error.reason === 'context-too-long') this.#tooShort = candidate.model.contextLength
    this.#unanswered.push({
      reason: result,
      error,
      waitMs: candidate.health.waitMs(nowMs, this.#accountId),
      restReason: undefined,
    })
    if (!othersFollow) return undefined
    const { detail: told } = error
    const detail = told === undefined ? undefined : loggable(told, operation.quotable(call.request))
    const fields = { requestId: exchange.requestId, provider, model, result, detail }
    this.#gateway.log.warn(fields, 'an upstream failed: trying the next one')
    return undefined
  }

  #passOver(candidate: Candidate, reason: ReasonToPassOver, error?: GatewayError): undefined {
    const { health } = candidate
    const waitMs = reason === 'resting' ? health.waitMs(performance.now(), this.#accountId) : 0
    const restReason = health.restReason(this.#accountId)
    this.#unanswered.push({ passedOver: candidate, reason, error, waitMs, restReason })
    // Where nobody else is to be asked, a request that cannot be said took no attempt.
    if (reason !== 'unsupported' || this.#request.candidates.length > 1)
      this.#request.record.attempts.push(attemptRow(candidate, reason))
    return undefined
  }
}

function proofsIn({ operation, call }: Held): readonly string[] {
  return operation.proofs?.at(call.request) ?? nothing
}

/** Whether another candidate may do better than one that said so. */
function mayOthersAnswer({ retryable, reason, type }: GatewayError): boolean {
  const elsewhere = reason === 'context-too-long' || reason === 'request-too-large'
  return retryable || elsewhere || type === 'not_found_error'
}
