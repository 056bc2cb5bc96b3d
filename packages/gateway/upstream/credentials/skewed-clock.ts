/** A signature of AWS's may be five minutes old. */
const toleratedMs = 120_000
/** No vendor lives in another time; a machine that has just started may. */
const believable = { fromMs: Date.UTC(2020), toMs: Date.UTC(2100) }

/**
 * The time as the vendor has it, for signatures that say when they were made: this machine's clock, set right
 * by what the vendor said of its own when it refused one. Unix epoch milliseconds.
 */
export class SkewedClock {
  readonly #wallMs: () => number
  readonly #onLearnt: (behindMs: number) => void
  #behindMs = 0

  /** @param onLearnt told by how much this machine's clock is behind, each time that this has changed */
  constructor(onLearnt: (behindMs: number) => void = () => undefined, wallMs: () => number = Date.now) {
    this.#onLearnt = onLearnt
    this.#wallMs = wallMs
  }

  now(): number {
    return this.#wallMs() + this.#behindMs
  }

  /**
   * @param date as in an answer's `date` header
   * @returns whether the clock was set by it: what was signed before may be refused for its time alone
   */
  learn(date: string | undefined): boolean {
    const vendorMs = Date.parse(date ?? '')
    if (!(vendorMs > believable.fromMs && vendorMs < believable.toMs)) return false
    if (Math.abs(vendorMs - this.now()) <= toleratedMs) return false
    this.#behindMs = vendorMs - this.#wallMs()
    this.#onLearnt(this.#behindMs)
    return true
  }
}
