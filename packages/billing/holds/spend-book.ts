import type { BudgetScope } from '../budgets/budget.ts'
import { BudgetSet, countsFor, noBudgets, type BudgetLeases } from '../budgets/budget-set.ts'
import { budgetOfLease, isBudgetLease, type HardBudget } from '../budgets/hard-budget.ts'
import type { HoldRefusal } from './hold-refusal.ts'
import { heldOfBudget, type Hold, type HoldResult } from './hold.ts'
import { LeaseBook } from './lease-book.ts'
import { defaultLeaseMs, type LeaseBookOptions } from './lease-book-options.ts'
import type { LeaseState, LeaseStore } from './lease-store.ts'
import { LeaseTerm } from './lease-term.ts'
import type { LeaseTotals } from './lease-totals.ts'

export interface SpendStores {
  /** Of keys' credit. */
  leases: LeaseStore
  /** Of budgets, each period of which is named as a key is. */
  budgetLeases: LeaseStore
}

/**
 * For how long a budget that is used up is not asked for again: callers go on asking. A change of it ends
 * that at once.
 */
const usedUpMs = 1_000

/** Who spends: a key, from its credit and from what budgets leave. */
export interface Spender {
  keyId: string
  /** When the request began, in Unix epoch milliseconds. */
  startedAtMs: number
  budgets: BudgetSet
}

/**
 * What requests may spend on this node: a key's credit, and what the budgets leave that they fall under. Both
 * are leases (decision 5), each in a book of its own, under one term. A request holds the same amount of all,
 * or nothing; without budgets this is the credit's book alone.
 */
export class SpendBook {
  readonly #term: LeaseTerm
  readonly #credit: LeaseBook
  readonly #budgets: LeaseBook
  /** How often a budget of this scope had too little for a request, or for more of it. */
  readonly shortBudgets: Record<BudgetScope, number> = {
    organization: 0,
    project: 0,
    member: 0,
    key: 0,
    tag: 0,
    model: 0,
  }

  constructor({ leases, budgetLeases }: SpendStores, nodeId: string, options: LeaseBookOptions = {}) {
    const term =
      options.term ?? new LeaseTerm(leases, nodeId, options.leaseMs ?? defaultLeaseMs, options.clock)
    this.#term = term
    this.#credit = new LeaseBook(leases, nodeId, { ...options, term })
    this.#budgets = new LeaseBook(budgetLeases, nodeId, { usedUpMs, ...options, term })
  }

  /**
   * A hold from what the leases have, without a promise: of the credit and of each budget, or undefined where
   * one of them has too little. Nothing stands between looking and holding.
   */
  tryHold({ keyId, startedAtMs, budgets }: Spender, amountPico: bigint): Hold | undefined {
    if (budgets.budgets.length === 0) return this.#credit.tryHold(keyId, amountPico, startedAtMs)
    if (amountPico > 0n && this.#term.isOver()) return undefined
    const leases = budgets.leasesAt(startedAtMs)
    if (!this.#tryTake(leases.ids, amountPico, startedAtMs)) return undefined
    const hold = this.#credit.tryHoldInTerm(keyId, amountPico, startedAtMs)
    if (hold === undefined) this.#giveBack(leases.ids, amountPico, startedAtMs)
    else hold.budgets = leases
    return hold
  }

  /** Takes so much of each of these leases of budgets, or of none. */
  #tryTake(leaseIds: readonly string[], amountPico: bigint, startedAtMs: number): boolean {
    for (let at = 0; at < leaseIds.length; at++)
      if (!this.#budgets.tryTakeInTerm(leaseIds[at]!, amountPico, startedAtMs)) {
        this.#giveBack(leaseIds.slice(0, at), amountPico, startedAtMs)
        return false
      }
    return true
  }

  #giveBack(leaseIds: readonly string[], amountPico: bigint, startedAtMs: number): void {
    const nowMs = Date.now()
    for (const leaseId of leaseIds) this.#budgets.release(leaseId, amountPico, 0n, startedAtMs, nowMs)
  }

  /** Whether the leases have anything that a request may be paid from; where not, there may still be more. */
  hasCredit({ keyId, startedAtMs, budgets }: Spender): boolean {
    return (
      this.#credit.hasAny(keyId, startedAtMs) &&
      budgets.leasesAt(startedAtMs).ids.every((id) => this.#budgets.hasAny(id, startedAtMs))
    )
  }

  /**
   * A hold, for which leases grow where they must and can. Of several budgets that do not cover it the one
   * with the least left is named. Rejects where the database cannot be asked; then nothing is held.
   */
  async hold(spender: Spender, amountPico: bigint): Promise<HoldResult> {
    const { keyId, startedAtMs, budgets } = spender
    const result = await this.#credit.hold(keyId, amountPico, startedAtMs)
    if ('refused' in result || budgets.budgets.length === 0) return result
    const { hold } = result
    try {
      const taken = await this.#takeBudgets(budgets, amountPico, startedAtMs)
      if ('refused' in taken) {
        this.settle(hold, 0n)
        const { refused } = taken
        return { refused: { ...refused, freePico: least(refused.freePico, this.freePico(spender)) } }
      }
      hold.budgets = taken.leases
      return { hold }
    } catch (error) {
      this.settle(hold, 0n)
      throw error
    }
  }

  /**
   * One after the other, in one order: of requests that have each a part of what is left, one gets all. None
   * waits for what another one holds. All are asked, so that the tightest is named.
   */
  async #takeBudgets(
    set: BudgetSet,
    amountPico: bigint,
    startedAtMs: number,
  ): Promise<{ leases: BudgetLeases | undefined } | { refused: HoldRefusal }> {
    const taken: string[] = []
    const gone: HardBudget[] = []
    let refused: HoldRefusal | undefined
    try {
      for (const budget of set.budgets.toSorted(byId)) {
        const leaseId = budget.leaseId(startedAtMs)
        const result = await this.#budgets.hold(leaseId, amountPico, startedAtMs)
        if ('hold' in result) taken.push(leaseId)
        // One that was deleted since the key was read bounds nobody.
        else if (result.refused.isGone === true) gone.push(budget)
        else refused = tighter(refused, refusalOf(budget, result.refused, startedAtMs))
      }
    } catch (error) {
      this.#giveBack(taken, amountPico, startedAtMs)
      throw error
    }
    if (refused === undefined) return { leases: leasesWithout(set, gone, startedAtMs) }
    if (refused.budget !== undefined) this.shortBudgets[refused.budget.rule.scope]++
    this.#giveBack(taken, amountPico, startedAtMs)
    return { refused }
  }

  /** What a spender has free, as far as this node knows: the least of its credit and its budgets. */
  freePico({ keyId, startedAtMs, budgets }: Spender): bigint {
    let freePico = this.#credit.freePico(keyId)
    for (const leaseId of budgets.leasesAt(startedAtMs).ids)
      freePico = least(freePico, this.#budgets.freePico(leaseId))
    return freePico
  }

  /** The same for the request of a hold: of the budgets that it takes from, as `extend` does. */
  freeBeside(hold: Hold, model?: string): bigint {
    const budgets = leasesFor(hold, model)?.set ?? noBudgets
    return this.freePico({ keyId: hold.keyId, startedAtMs: hold.startedAtMs, budgets })
  }

  /**
   * More for a hold from what the leases have, at once; false where one of them has too little.
   * @param model that answers: budgets of others, which might have, are left as they are
   */
  tryExtend(hold: Hold, morePico: bigint, model?: string): boolean {
    const leases = leasesFor(hold, model)
    if (leases !== undefined) {
      if (hold.settled || (morePico > 0n && this.#term.isOver())) return false
      if (!this.#tryTake(leases.ids, morePico, hold.startedAtMs)) return false
    }
    if (this.#credit.tryExtend(hold, morePico)) {
      addToBudgets(hold, leases, morePico)
      return true
    }
    if (leases !== undefined) this.#giveBack(leases.ids, morePico, hold.startedAtMs)
    return false
  }

  /**
   * More for a hold that its request outgrows: undefined where it has grown, else why not. `ended`: so has
   * the request. Rejects where the database cannot be asked.
   */
  async extend(hold: Hold, morePico: bigint, model?: string): Promise<HoldRefusal | 'ended' | undefined> {
    if (this.tryExtend(hold, morePico, model)) return undefined
    const { keyId, startedAtMs } = hold
    const budgets = leasesFor(hold, model)?.set ?? noBudgets
    const result = await this.hold({ keyId, startedAtMs, budgets }, morePico)
    if ('refused' in result) return result.refused
    const more = result.hold
    // The request may have ended while more was asked for.
    if (hold.settled) {
      this.settle(more, 0n)
      return 'ended'
    }
    hold.amountPico += morePico
    addToBudgets(hold, more.budgets, morePico)
    return undefined
  }

  /**
   * Ends a hold: what it took returns, but for the charge.
   * @param model that answered: budgets of others are charged nothing
   */
  settle(hold: Hold, chargePico: bigint, model?: string | null): void {
    const nowMs = Date.now()
    this.#credit.settle(hold, chargePico, nowMs)
    if (hold.budgets === undefined) return
    const { set, ids } = hold.budgets
    for (let at = 0; at < ids.length; at++) {
      const counts = !set.dependsOnModel || countsFor(set.budgets[at]!, model ?? null)
      const heldPico = heldOfBudget(hold, at)
      this.#budgets.release(ids[at]!, heldPico, counts ? chargePico : 0n, hold.startedAtMs, nowMs)
    }
  }

  /**
   * Tells that charges are now in the database, and what they left of the leases: those of keys and those of
   * budgets beside each other.
   */
  flushed(chargedPico: ReadonlyMap<string, bigint>, leases: ReadonlyMap<string, LeaseState>): void {
    this.#credit.flushed(chargedPico, leases)
    // A book leaves what it does not know.
    this.#budgets.flushed(chargedPico, leases)
  }

  /** Begins a new term of all leases; rejects where the database cannot be reached. */
  renew(): Promise<void> {
    return this.#credit.renew()
  }

  /** Of keys: for scrapers, not for requests. */
  totals(): LeaseTotals {
    return this.#credit.totals()
  }

  budgetTotals(): LeaseTotals {
    return this.#budgets.totals()
  }

  /** Of keys, as `LeaseBook` has it. */
  get tally(): LeaseBook['tally'] {
    return this.#credit.tally
  }

  get budgetTally(): LeaseBook['tally'] {
    return this.#budgets.tally
  }

  #bookOf(leaseId: string): LeaseBook {
    return isBudgetLease(leaseId) ? this.#budgets : this.#credit
  }

  /** As `LeaseBook` has it, of a key or of a budget's period, as the next four. */
  limitsChanged(leaseId: string): Promise<void> {
    return this.#bookOf(leaseId).limitsChanged(leaseId)
  }

  giveBack(leaseId: string): Promise<void> {
    return this.#bookOf(leaseId).giveBack(leaseId)
  }

  giveBackEverywhere(leaseId: string): Promise<void> {
    return this.#bookOf(leaseId).giveBackEverywhere(leaseId)
  }

  answer(leaseId: string, wantedPico: bigint): Promise<void> {
    return this.#bookOf(leaseId).answer(leaseId, wantedPico)
  }

  recordAnswer(leaseId: string, nodeId: string, givenPico: bigint, heldPico: bigint): void {
    this.#bookOf(leaseId).recordAnswer(leaseId, nodeId, givenPico, heldPico)
  }

  /** A budget was changed or deleted: as `limitsChanged`, of each of its periods that this node has. */
  async budgetChanged(budgetId: string): Promise<void> {
    const leases = this.#budgets.leaseIds.filter((leaseId) => budgetOfLease(leaseId).budgetId === budgetId)
    for (const leaseId of leases) await this.#budgets.limitsChanged(leaseId)
  }

  /** As `limitsChanged`, of all leases: what became of them may not have been heard. */
  async allChanged(): Promise<void> {
    for (const book of [this.#credit, this.#budgets])
      for (const leaseId of book.leaseIds) await book.limitsChanged(leaseId)
  }

  async giveBackRecalled(): Promise<void> {
    await this.#credit.giveBackRecalled()
    await this.#budgets.giveBackRecalled()
  }

  async giveBackIdle(beforeMs: number): Promise<void> {
    await this.#credit.giveBackIdle(beforeMs)
    await this.#budgets.giveBackIdle(beforeMs)
  }
}

/**
 * Those of a hold's leases that what this model answers takes from; before a model is known, all.
 * @returns undefined: none
 */
function leasesFor({ budgets, startedAtMs }: Hold, model: string | undefined): BudgetLeases | undefined {
  if (budgets === undefined || model === undefined || !budgets.set.dependsOnModel) return budgets
  const others = budgets.set.budgets.filter((budget) => !countsFor(budget, model))
  return leasesWithout(budgets.set, others, startedAtMs)
}

function leasesWithout(
  set: BudgetSet,
  left: readonly HardBudget[],
  startedAtMs: number,
): BudgetLeases | undefined {
  if (left.length === set.budgets.length) return undefined
  if (left.length === 0) return set.leasesAt(startedAtMs)
  return new BudgetSet(set.budgets.filter((budget) => !left.includes(budget))).leasesAt(startedAtMs)
}

/** Tells a hold that has grown by so much which of its budgets have. */
function addToBudgets(hold: Hold, grown: BudgetLeases | undefined, morePico: bigint): void {
  const { budgets, amountPico } = hold
  if (budgets === undefined || (budgets === grown && hold.budgetPico === undefined)) return
  hold.budgetPico ??= budgets.ids.map(() => amountPico - morePico)
  for (const leaseId of grown?.ids ?? []) hold.budgetPico[budgets.ids.indexOf(leaseId)]! += morePico
}

function refusalOf(budget: HardBudget, refused: HoldRefusal, startedAtMs: number): HoldRefusal {
  return { ...refused, budget: { rule: budget.rule, period: budget.periodAt(startedAtMs) } }
}

/** The budget that has the least left; one that waiting does not help goes before one that it does. */
function tighter(one: HoldRefusal | undefined, other: HoldRefusal): HoldRefusal {
  if (one === undefined) return other
  if (one.waitingHelps !== other.waitingHelps) return one.waitingHelps ? other : one
  return other.creditPico < one.creditPico ? other : one
}

function byId(one: HardBudget, other: HardBudget): number {
  return one.rule.id < other.rule.id ? -1 : 1
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
