/** An AWS signature may be up to five minutes old. */
const toleratedMs = 120_000
/** The clock of a vendor is in this range; a machine that has just started may be outside it. */
const believable = { fromMs: Date.UTC(2020), toMs: Date.UTC(2100) }

/**
 * The vendor's time, for signatures that contain their creation time: this machine's clock, corrected by the
 * date in a vendor's rejection. Unix epoch milliseconds.
 */
export class SkewedClock {
  readonly #wallMs: () => number
  readonly #onLearnt: (behindMs: number) => void
  #behindMs = 0

  /** @param onLearnt called with how far this machine's clock is behind, each time that this has changed */
  constructor(onLearnt: (behindMs: number) => void = () => undefined, wallMs: () => number = Date.now) {
    this.#onLearnt = onLearnt
    this.#wallMs = wallMs
  }

  now(): number {
    return this.#wallMs() + this.#behindMs
  }

  /**
   * @param date as in a response's `date` header
   * @returns whether the clock was corrected: earlier signatures may have been rejected only for their time
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
