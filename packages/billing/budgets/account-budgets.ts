import { BudgetSet } from './budget-set.ts'
import { HardBudget, type BudgetRule } from './hard-budget.ts'

/** The fields of a key that decide which budgets cover its requests. */
export interface BudgetedKey {
  id: string
  memberId: string | null
  projectId: string | null
}

/** Beyond this many per account, a set is created for its request only: tags can be combined in any way. */
const mostSharedSets = 1_000

/** Budgets that cover a request in addition to others, and the sets already made from them. */
interface Addition {
  budgets: HardBudget[]
  joined: Map<BudgetSet, BudgetSet>
}

/** An account's hard budgets at one version, shared by all of its keys. */
export class AccountBudgets {
  readonly #bySubject = new Map<string, HardBudget[]>()
  readonly #byTag = new Map<string, Addition>()
  readonly #byModel = new Map<string, Addition>()
  /** By the budgets' identifiers. */
  readonly #ofKeys = new Map<string, BudgetSet>()
  #sharedSets = 0

  constructor(rules: readonly BudgetRule[]) {
    for (const rule of rules) {
      const budget = new HardBudget(rule)
      if (rule.scope === 'tag') add(this.#byTag, rule.subject, budget)
      else if (rule.scope === 'model') add(this.#byModel, rule.subject, budget)
      else {
        const name = nameOf(rule.scope, rule.subject)
        this.#bySubject.set(name, [...this.#of(rule.scope, rule.subject), budget])
      }
    }
  }

  /** The budgets that cover every request of the key. */
  ofKey({ id, memberId, projectId }: BudgetedKey): BudgetSet {
    const budgets = [
      ...this.#of('organization', ''),
      ...this.#of('key', id),
      ...(memberId === null ? [] : this.#of('member', memberId)),
      ...(projectId === null ? [] : this.#of('project', projectId)),
    ]
    const name = budgets.map(({ rule }) => rule.id).join()
    const known = this.#ofKeys.get(name)
    if (known !== undefined) return known
    const set = new BudgetSet(budgets)
    if (this.#mayShare()) this.#ofKeys.set(name, set)
    return set
  }

  #of(scope: string, subject: string): readonly HardBudget[] {
    return this.#bySubject.get(nameOf(scope, subject)) ?? []
  }

  /**
   * The budgets of one request: its key's, its tags', and those of the models that may answer it. Needs a few
   * look-ups, however many budgets there are.
   * @param tags each once
   */
  ofRequest(ofKey: BudgetSet, tags: readonly string[], models: Iterable<string>): BudgetSet {
    let set = ofKey
    if (this.#byTag.size > 0) for (const tag of tags) set = this.#join(set, this.#byTag.get(tag))
    if (this.#byModel.size > 0)
      for (const model of new Set(models)) set = this.#join(set, this.#byModel.get(model))
    return set
  }

  #join(set: BudgetSet, addition: Addition | undefined): BudgetSet {
    if (addition === undefined) return set
    const known = addition.joined.get(set)
    if (known !== undefined) return known
    const joined = new BudgetSet([...set.budgets, ...addition.budgets])
    if (this.#mayShare()) addition.joined.set(set, joined)
    return joined
  }

  #mayShare(): boolean {
    return this.#sharedSets++ < mostSharedSets
  }
}

function nameOf(scope: string, subject: string): string {
  return `${scope} ${subject}`
}

function add(map: Map<string, Addition>, name: string, budget: HardBudget): void {
  const there = map.get(name)
  if (there === undefined) map.set(name, { budgets: [budget], joined: new Map() })
  else there.budgets.push(budget)
}
