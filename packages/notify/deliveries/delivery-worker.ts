import { payloadOf } from './payload.ts'
import { nextAttemptMs, retryAfterSeconds } from './schedule.ts'
import { signatureHeaders } from './signature.ts'
import { busyNames, type AttemptResult, type DeliveryStore, type DueDelivery } from './delivery.ts'
import type { EventTarget, TargetKind } from '../targets/target.ts'

const mostAtOnce = 32
const mostPerTarget = 2
/** So that one account's receivers, however many and slow, hold up no other's. */
const mostPerAccount = 8
const lookEveryMs = 2_000
/** How long a claim holds: longer than an attempt may take, with all around it. */
const claimMs = 60_000
/** An older claim may be another node's by now: a process can stand still. */
const freshMs = 30_000
const goneStatus = 410
const maxAnswerStart = 1_024

const bounds = { perTarget: mostPerTarget, perAccount: mostPerAccount }

/** What a receiver answered. */
export interface WebhookAnswer {
  status: number
  retryAfter: string | undefined
  body: string
}

export interface DeliveryWorkerOptions {
  nodeId: string
  deliveries: Pick<DeliveryStore, 'claimDue' | 'conclude'>
  /** @throws {Error} whose message says to the target's owner what went wrong */
  post: (url: string, headers: Record<string, string>, body: string) => Promise<WebhookAnswer>
  /** @throws {Error} as `post`. Absent: no mail is sent from here */
  mail?: (delivery: DueDelivery) => Promise<void>
  /** What is kept of a secret, as it is. */
  openSecret: (kept: string, of: EventTarget) => string
  /** Unix epoch milliseconds. */
  clock: () => number
  random?: () => number
  onFailure: (error: unknown) => void
}

/**
 * Brings events to their targets. Any number of nodes have one each: a delivery is claimed by one of them at
 * a time, and one whose node is gone is claimed again, so that it arrives at least once.
 */
export class DeliveryWorker {
  readonly #options: DeliveryWorkerOptions
  /** Attempts of this node, by what became of their deliveries. */
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

  /** There may be something that is due. */
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

  /** Resolves when nothing is being sent any more. */
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
        // Its place is free, and perhaps its target.
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

/** No database takes a NUL, or half a character. */
function answerStartOf(body: string): string | null {
  const start = body.slice(0, maxAnswerStart).replaceAll('\0', '�').toWellFormed()
  return start === '' ? null : start
}
