import { payloadOf } from './payload.ts'
import { nextAttemptMs, retryAfterSeconds } from './schedule.ts'
import { signatureHeaders } from './signature.ts'
import { busyNames, type AttemptResult, type DeliveryStore, type DueDelivery } from './delivery.ts'
import type { EventTarget, TargetKind } from '../targets/target.ts'

const mostAtOnce = 32
const mostPerTarget = 2
/** Limits one account's deliveries, so that its many or slow receivers do not delay others. */
const mostPerAccount = 8
const lookEveryMs = 2_000
/** How long a claim lasts: longer than an attempt can take, including the work before and after it. */
const claimMs = 60_000
/** An older claim may already belong to another node, since a process can be suspended. */
const freshMs = 30_000
const goneStatus = 410
const maxAnswerStart = 1_024

const bounds = { perTarget: mostPerTarget, perAccount: mostPerAccount }

/** A receiver's response. */
export interface WebhookAnswer {
  status: number
  retryAfter: string | undefined
  body: string
}

export interface DeliveryWorkerOptions {
  nodeId: string
  deliveries: Pick<DeliveryStore, 'claimDue' | 'conclude'>
  /** @throws {Error} its message tells the target's owner what went wrong */
  post: (url: string, headers: Record<string, string>, body: string) => Promise<WebhookAnswer>
  /** Absent: this node sends no mail. @throws {Error} as `post` */
  mail?: (delivery: DueDelivery) => Promise<void>
  /** Returns the plain secret for its stored form. */
  openSecret: (kept: string, of: EventTarget) => string
  /** Unix epoch milliseconds. */
  clock: () => number
  random?: () => number
  onFailure: (error: unknown) => void
}

/**
 * Delivers events to their targets. Every node runs one worker. One node at a time claims a delivery, and a
 * delivery whose node is gone is claimed again, so each event arrives at least once.
 */
export class DeliveryWorker {
  readonly #options: DeliveryWorkerOptions
  /** This node's attempts, by their outcome. */
  readonly tally: Readonly<Record<TargetKind, Record<'delivered' | 'again' | 'failed', number>>> = {
    webhook: { delivered: 0, again: 0, failed: 0 },
    mail: { delivered: 0, again: 0, failed: 0 },
  }
  readonly #underWay = new Map<string, { names: string[]; done: Promise<void> }>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #lookAgain = false
  #stopped = false

  constructor(options: DeliveryWorkerOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => this.poke(), lookEveryMs).unref()
    this.poke()
  }

  /** Call it when a delivery may be due. */
  poke(): void {
    if (this.#stopped) return
    if (this.#looking !== undefined) {
      this.#lookAgain = true
      return
    }
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined
      if (!this.#lookAgain) return
      this.#lookAgain = false
      this.poke()
    })
  }

  /** Resolves when no delivery is being sent any more. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#looking
    await Promise.all(Array.from(this.#underWay.values(), ({ done }) => done))
  }

  async #look(): Promise<void> {
    const { deliveries, nodeId, clock, onFailure } = this.#options
    const limit = mostAtOnce - this.#underWay.size
    if (limit <= 0) return
    const nowMs = clock()
    const claim = { nodeId, limit, busy: this.#busy(), ...bounds }
    try {
      const due = await deliveries.claimDue({ ...claim, nowMs, untilMs: nowMs + claimMs })
      for (const delivery of due) this.#begin(delivery)
    } catch (error) {
      onFailure(error)
    }
  }

  #busy(): Map<string, number> {
    const busy = new Map<string, number>()
    for (const { names } of this.#underWay.values())
      for (const name of names) busy.set(name, (busy.get(name) ?? 0) + 1)
    return busy
  }

  #begin(due: DueDelivery): void {
    const names = busyNames({ targetId: due.target.id, accountId: due.target.accountId })
    const done = this.#deliver(due)
      .catch((error: unknown) => this.#options.onFailure(error))
      .finally(() => {
        this.#underWay.delete(due.id)
        // A place for another delivery is free, and perhaps one for this target.
        this.poke()
      })
    this.#underWay.set(due.id, { names, done })
  }

  async #deliver(due: DueDelivery): Promise<void> {
    const { deliveries, nodeId, clock } = this.#options
    const startedAtMs = clock()
    if (startedAtMs > due.claimUntilMs - claimMs + freshMs) return
    const result = await this.#attempt(due, startedAtMs)
    const { kind } = result.outcome
    this.tally[due.target.kind][kind === 'gone' ? 'failed' : kind]++
    await deliveries.conclude(nodeId, due, result, clock())
  }

  async #attempt(due: DueDelivery, atMs: number): Promise<AttemptResult> {
    const begunMs = performance.now()
    const toAttempt = (rest: {
      status: number | null
      error: string | null
      answerStart: string | null
    }) => ({
      atMs,
      durationMs: Math.round(performance.now() - begunMs),
      ...rest,
    })
    try {
      if (due.target.kind === 'mail') {
        await this.#mail(due)
        return { attempt: toAttempt({ status: null, error: null, answerStart: null }), outcome: delivered }
      }
      const { status, retryAfter, body } = await this.#post(due, atMs)
      const isGood = status >= 200 && status < 300
      const error = isGood ? null : `the receiver returned status ${status}`
      const attempt = toAttempt({ status, error, answerStart: answerStartOf(body) })
      if (isGood) return { attempt, outcome: delivered }
      if (status === goneStatus) return { attempt, outcome: { kind: 'gone' } }
      return { attempt, outcome: this.#afterFailure(due, retryAfter) }
    } catch (error) {
      const attempt = toAttempt({ status: null, error: (error as Error).message, answerStart: null })
      return { attempt, outcome: this.#afterFailure(due, undefined) }
    }
  }

  #post({ event, target }: DueDelivery, atMs: number): Promise<WebhookAnswer> {
    const { post, openSecret } = this.#options
    const body = payloadOf(event)
    const kept = [target.secret]
    if (target.previousUntilMs !== null && target.previousUntilMs > atMs) kept.push(target.previousSecret)
    const secrets = kept.flatMap((secret) => (secret === null ? [] : [openSecret(secret, target)]))
    const signed = { id: event.id, timestamp: Math.floor(atMs / 1000), body }
    const headers = { 'content-type': 'application/json', ...signatureHeaders(signed, secrets) }
    return post(target.url!, headers, body)
  }

  async #mail(due: DueDelivery): Promise<void> {
    const { mail } = this.#options
    if (mail === undefined)
      throw new Error('this gateway has no mail server (set `mail` in its configuration)')
    await mail(due)
  }

  #afterFailure(due: DueDelivery, retryAfter: string | undefined): AttemptResult['outcome'] {
    const { clock, random = Math.random } = this.#options
    const nowMs = clock()
    const atMs = nextAttemptMs({
      tries: due.tries + 1,
      nowMs,
      deadlineMs: due.deadlineMs,
      retryAfterSeconds: retryAfterSeconds(retryAfter, nowMs),
      random: random(),
    })
    return atMs === undefined ? { kind: 'failed' } : { kind: 'again', atMs }
  }
}

const delivered: AttemptResult['outcome'] = { kind: 'delivered' }

/** No database stores a NUL or half a surrogate pair. */
function answerStartOf(body: string): string | null {
  const start = body.slice(0, maxAnswerStart).replaceAll('\0', '�').toWellFormed()
  return start === '' ? null : start
}
