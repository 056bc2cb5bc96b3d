import type { GatewayError } from '@turnpike/protocol'

/** What one value of a parsed body takes, on the average: an empty object, or a short text in a list. */
const bytesPerValue = 64

/**
 * What the bodies of requests under way hold in memory together. Bytes count as they arrive, not as they are
 * announced: who announces much and sends nothing takes nothing from others. Values count beside them: a body
 * that is mostly structure is many times its size once it is parsed.
 */
export class BodyBudget {
  readonly #maxBytes: number
  readonly #refuse: () => GatewayError
  #bytes = 0

  constructor(maxBytes: number, refuse: () => GatewayError) {
    this.#maxBytes = maxBytes
    this.#refuse = refuse
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The room that so many values take. */
  bytesOf(values: number): number {
    return values * bytesPerValue
  }

  /** Whether a body of this length may begin; undefined where it may. */
  refusalOf(announcedBytes: number): GatewayError | undefined {
    return this.#bytes + announcedBytes > this.#maxBytes ? this.#refuse() : undefined
  }

  /** Counts what has arrived, to be given back by whoever holds it; an error where it is too much by now. */
  take(bytes: number): GatewayError | undefined {
    if (this.#bytes + bytes > this.#maxBytes) return this.#refuse()
    this.#bytes += bytes
    return undefined
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes
  }
}
