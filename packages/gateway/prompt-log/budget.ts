/** Limits the bytes in memory at once, over all requests. */
export class Budget {
  readonly #most: number
  #taken = 0

  constructor(most: number) {
    this.#most = most
  }

  get taken(): number {
    return this.#taken
  }

  /** Returns false, and takes none, if there is no room for them. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#most) return false
    this.#taken += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#taken -= bytes
  }
}
