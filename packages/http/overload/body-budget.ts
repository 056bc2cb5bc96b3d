import type { GatewayError } from '@turnpike/protocol'

/** The average memory of a value in a parsed body: an empty object, or a short text in a list. */
const bytesPerValue = 64

/**
 * Limits the memory of all bodies of current requests. Bytes count when they arrive, not when they are
 * announced: a client that announces much and sends nothing takes nothing from others. Values count too,
 * since a body that is mostly structure takes many times its size once it is parsed.
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

  /** The memory of this many values. */
  bytesOf(values: number): number {
    return values * bytesPerValue
  }

  /** Whether a body of this length may begin; undefined if it may. */
  refusalOf(announcedBytes: number): GatewayError | undefined {
    return this.#bytes + announcedBytes > this.#maxBytes ? this.#refuse() : undefined
  }

  /** Counts arrived bytes, which the caller must give back; an error if they are too many by now. */
  take(bytes: number): GatewayError | undefined {
    if (this.#bytes + bytes > this.#maxBytes) return this.#refuse()
    this.#bytes += bytes
    return undefined
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes
  }
}
