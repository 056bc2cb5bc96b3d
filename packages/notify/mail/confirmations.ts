/** Confirmation mails per day: from one account, and to one address from all accounts together. */
const mostOfAccount = 10
const mostToAddress = 3
const dayMs = 24 * 60 * 60 * 1000
const mostRemembered = 10_000

/** Counts of one day; if there are too many, the oldest are dropped. */
export class ConfirmationCounts {
  readonly #sentMs = new Map<string, number[]>()

  /** Counts a mail. @returns milliseconds to wait; undefined: it may be sent */
  count(accountId: string | null, email: string, nowMs: number): number | undefined {
    const names = [
      { name: `account ${accountId}`, most: mostOfAccount },
      { name: `address ${email}`, most: mostToAddress },
    ]
    for (const { name, most } of names) {
      const sent = this.#recent(name, nowMs)
      if (sent.length >= most) return sent[0]! + dayMs - nowMs
    }
    for (const { name } of names) this.#add(name, nowMs)
    return undefined
  }

  #recent(name: string, nowMs: number): number[] {
    return (this.#sentMs.get(name) ?? []).filter((atMs) => atMs > nowMs - dayMs)
  }

  #add(name: string, nowMs: number): void {
    const sent = [...this.#recent(name, nowMs), nowMs]
    this.#sentMs.delete(name)
    this.#sentMs.set(name, sent)
    if (this.#sentMs.size <= mostRemembered) return
    const [oldest] = this.#sentMs.keys()
    this.#sentMs.delete(oldest!)
  }
}
