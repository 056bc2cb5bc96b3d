import { GatewayError } from '@turnpike/protocol'
import { BodyBudget } from './body-budget.ts'
import { EventLoopWatch } from './event-loop-watch.ts'

export interface OverloadLimits {
  /** Simultaneous requests to the compatible surface; a stream counts until its end. */
  maxRequests: number
  /** The memory that all request bodies may use together, in bytes. */
  maxBodiesBytes: number
  /** Requests are refused while every turn of the event loop is delayed by more than this. */
  maxEventLoopDelayMs: number
}

/** Why requests were refused; the label of a metric. */
export const refusalReasons = ['requests', 'bodies', 'event-loop'] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** Responses end all the time, so a place is free soon. */
const retryAfterSeconds = 1

/**
 * Decides which requests to the compatible surface are admitted. A request is refused before its body is
 * read, so that it costs only a response of 200 bytes and the admitted requests can be served.
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

  /** The number of admitted requests. */
  get requests(): number {
    return this.#requests
  }

  /** How many requests have been refused so far. */
  get refused(): ReadonlyMap<RefusalReason, number> {
    return this.#refused
  }

  /** Admits a request, which must be followed by one `leave`; or returns why not. */
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
