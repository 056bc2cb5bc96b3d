import { HardBudget, type BudgetRule } from './hard-budget.ts'

/** What of a key says under which budgets its requests fall. */
export interface BudgetedKey {
  id: string
  memberId: string | null
  projectId: string | null
}

export const noBudgets: readonly HardBudget[] = []

/** An account's hard budgets at one of its versions, shared by all of its keys: immutable. */
export class AccountBudgets {
  readonly #bySubject = new Map<string, HardBudget[]>()
  readonly #byTag = new Map<string, HardBudget[]>()
  readonly #byModel = new Map<string, HardBudget[]>()

  constructor(rules: readonly BudgetRule[]) {
    for (const rule of rules) {
      const budget = new HardBudget(rule)
      if (rule.scope === 'tag') add(this.#byTag, rule.subject, budget)
      else if (rule.scope === 'model') add(this.#byModel, rule.subject, budget)
      else add(this.#bySubject, nameOf(rule.scope, rule.subject), budget)
    }
  }

  /** Those that every request of the key falls under. */
  ofKey({ id, memberId, projectId }: BudgetedKey): readonly HardBudget[] {
    const found = [
      ...this.#of('organization', ''),
      ...this.#of('key', id),
      ...(memberId === null ? noBudgets : this.#of('member', memberId)),
      ...(projectId === null ? noBudgets : this.#of('project', projectId)),
    ]
    return found.length === 0 ? noBudgets : found
  }

  #of(scope: string, subject: string): readonly HardBudget[] {
    return this.#bySubject.get(nameOf(scope, subject)) ?? noBudgets
  }

  /**
   * Those of one request: its key's, its tags' and those of the models that may answer it. A few look-ups,
   * however many budgets there are.
   * @param tags each once
   */
  ofRequest(
    ofKey: readonly HardBudget[],
    tags: readonly string[],
    models: Iterable<string>,
  ): readonly HardBudget[] {
    let found: HardBudget[] | undefined
    if (this.#byTag.size > 0) for (const tag of tags) found = joinBudgets(ofKey, found, this.#byTag.get(tag))
    if (this.#byModel.size > 0)
      for (const model of new Set(models)) found = joinBudgets(ofKey, found, this.#byModel.get(model))
    return found ?? ofKey
  }
}

function joinBudgets(
  ofKey: readonly HardBudget[],
  found: HardBudget[] | undefined,
  more: readonly HardBudget[] | undefined,
): HardBudget[] | undefined {
  if (more === undefined) return found
  const all = found ?? [...ofKey]
  all.push(...more)
  return all
}

function nameOf(scope: string, subject: string): string {
  return `${scope} ${subject}`
}

function add(map: Map<string, HardBudget[]>, name: string, budget: HardBudget): void {
  const there = map.get(name)
  if (there === undefined) map.set(name, [budget])
  else there.push(budget)
}
