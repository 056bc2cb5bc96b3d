/** More of them are looked at all together. */
const mostNoted = 20_000

/**
 * What this node has changed since somebody last took it: budgets of which it has counted something, accounts
 * whose credit it has taken some of. Those alone can have come to where something is to be done, as far as
 * this node knows; what another node has changed that died, a look at all finds.
 */
export class ChangedIds {
  #ids = new Set<string>()

  note(ids: readonly string[]): void {
    // Nobody may ever take them.
    if (this.#ids.size <= mostNoted) for (const id of ids) this.#ids.add(id)
  }

  /** Undefined: more than are worth being named. */
  take(): string[] | undefined {
    const ids = [...this.#ids]
    this.#ids = new Set()
    return ids.length > mostNoted ? undefined : ids
  }
}
