/** The value for all values beyond the first ones. */
export const otherValue = 'other'

/**
 * Bounds the number of a label's values, because scrapers keep a series for each of them for weeks. The
 * first values keep their names; all later ones become `other`.
 */
export class BoundedLabel {
  readonly #most: number
  readonly #known = new Set<string>()

  constructor(most: number) {
    this.#most = most
  }

  of(value: string): string {
    if (this.#known.has(value)) return value
    if (this.#known.size >= this.#most) return otherValue
    this.#known.add(value)
    return value
  }
}
