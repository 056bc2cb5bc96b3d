import { GatewayError } from '@turnpike/protocol'
import { BodyBudget } from './body-budget.ts'
import { EventLoopWatch } from './event-loop-watch.ts'

export interface OverloadLimits {
  /** Requests of the compatible surface at once; a stream is one until its end. */
  maxRequests: number
  /** What request bodies may hold in memory together, in bytes. */
  maxBodiesBytes: number
  /** Requests are refused while each turn of the event loop takes longer. */
  maxEventLoopDelayMs: number
}

/** Why requests were refused, as a metric's label. */
export const refusalReasons = ['requests', 'bodies', 'event-loop'] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** Streams and answers end all the time: a place is free soon. */
const retryAfterSeconds = 1

/**
 * Decides which requests of the compatible surface are taken in. What is refused is refused before its body
 * is read, at the cost of an answer of 200 bytes, so that those inside are served.
 */
export class Admission {
  readonly bodies: BodyBudget
  readonly #limits: OverloadLimits
  readonly #eventLoop: EventLoopWatch
  readonly #refused = new Map<RefusalReason, number>(refusalReasons.map((reason) => [reason, 0]))
  #requests = 0

  constructor(limits: OverloadLimits) {
    this.#limits = limits
    this.#eventLoop = new EventLoopWatch(limits.maxEventLoopDelayMs)
    this.bodies = new BodyBudget(limits.maxBodiesBytes, () => this.#refuse('bodies'))
  }

  /** Requests that are inside. */
  get requests(): number {
    return this.#requests
  }

  /** How many requests were refused so far. */
  get refused(): ReadonlyMap<RefusalReason, number> {
    return this.#refused
  }

  /** Takes a request in, to be followed by one `leave`; or says why not. */
  enter(): GatewayError | undefined {
    if (this.#requests >= this.#limits.maxRequests) return this.#refuse('requests')
    if (this.#eventLoop.isLate) return this.#refuse('event-loop')
    this.#requests++
    return undefined
  }

  leave(): void {
    this.#requests--
  }

  close(): void {
    this.#eventLoop.close()
  }

  #refuse(reason: RefusalReason): GatewayError {
    this.#refused.set(reason, this.#refused.get(reason)! + 1)
    return new GatewayError('service_unavailable', 'The gateway is overloaded; please retry.', {
      retryAfterSeconds,
      detail: `refused for ${reason}`,
    })
  }
}
