/** Stands for all values beyond the first ones. */
export const otherValue = 'other'

/**
 * Keeps a label from having ever more values, each of which is a series that scrapers keep for weeks: the
 * first ones stand for themselves, all later ones are `other`.
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
