/** More of them are looked at all together. */
const mostNoted = 20_000

/**
 * Budgets of which this node has counted or changed something since somebody last took them: those alone can
 * have reached a percentage, as far as this node knows.
 */
export class ChangedBudgets {
  #ids = new Set<string>()

  note(budgetIds: readonly string[]): void {
    for (const id of budgetIds) this.#ids.add(id)
  }

  /** Undefined: more than are worth being named. */
  take(): string[] | undefined {
    const ids = [...this.#ids]
    this.#ids = new Set()
    return ids.length > mostNoted ? undefined : ids
  }
}
