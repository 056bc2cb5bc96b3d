/** Beyond this many, the consumer checks all of them instead. */
const mostNoted = 20_000

/**
 * The ids that this node has changed since they were last taken: budgets in which it has counted something,
 * or accounts from whose credit it has taken. As far as this node knows, only those can need a check. Changes
 * by another node that died are found by the regular check of all.
 */
export class ChangedIds {
  #ids = new Set<string>()

  note(ids: readonly string[]): void {
    // Bounded, because the ids may never be taken.
    if (this.#ids.size <= mostNoted) for (const id of ids) this.#ids.add(id)
  }

  /** @returns undefined if there were too many to list */
  take(): string[] | undefined {
    const ids = [...this.#ids]
    this.#ids = new Set()
    return ids.length > mostNoted ? undefined : ids
  }
}
