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
  /** Leases of keys' credit. */
  leases: LeaseStore
  /** Leases of budgets. Each period of a budget is addressed like a key. */
  budgetLeases: LeaseStore
}

/** How long a used-up budget is not requested again. A change of the budget ends this at once. */
const usedUpMs = 1_000

/** A key that spends its credit and what its budgets leave. */
export interface Spender {
  keyId: string
  /** When the request began, in Unix epoch milliseconds. */
  startedAtMs: number
  budgets: BudgetSet
}

/**
 * What requests may spend on this node: a key's credit, and what is left of the budgets that cover them. Both
 * are leases (decision 5), each in its own book, under one term. A request holds the same amount of each, or
 * nothing; without budgets this is the credit's book alone.
 */
export class SpendBook {
  readonly #term: LeaseTerm
  readonly #credit: LeaseBook
  readonly #budgets: LeaseBook
  /** How often a budget of this scope had too little for a request, or for extending a hold. */
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
   * Places a hold synchronously on the credit and on each budget. Undefined if one of their leases has too
   * little. Nothing can happen between the check and the hold.
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

  /** Takes this amount from each of these budget leases, or from none. */
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

  /** Whether the leases have anything for a request. If not, there may still be more in the database. */
  hasCredit({ keyId, startedAtMs, budgets }: Spender): boolean {
    return (
      this.#credit.hasAny(keyId, startedAtMs) &&
      budgets.leasesAt(startedAtMs).ids.every((id) => this.#budgets.hasAny(id, startedAtMs))
    )
  }

  /**
   * Places a hold, for which leases grow if necessary and possible. If several budgets are too low, the one
   * with the least left is reported. Rejects if the database cannot be reached; then nothing is held.
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
   * Takes from budgets one after the other, in a fixed order: of requests that each have a part of what is
   * left, one gets all, and none waits for another's hold. All are queried, so that the tightest is reported.
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
        // A budget that was deleted since the key was read limits nothing.
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

  /** A spender's free amount, as far as this node knows: the lowest of its credit and its budgets. */
  freePico({ keyId, startedAtMs, budgets }: Spender): bigint {
    let freePico = this.#credit.freePico(keyId)
    for (const leaseId of budgets.leasesAt(startedAtMs).ids)
      freePico = least(freePico, this.#budgets.freePico(leaseId))
    return freePico
  }

  /** The same for the request of a hold, with the budgets that `extend` would take from. */
  freeBeside(hold: Hold, model?: string): bigint {
    const budgets = leasesFor(hold, model)?.set ?? noBudgets
    return this.freePico({ keyId: hold.keyId, startedAtMs: hold.startedAtMs, budgets })
  }

  /**
   * Extends a hold from the leases at once; false if one of them has too little.
   * @param model the model that answers: budgets that only cover other models are left out
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
   * Extends a hold that its request outgrows. Undefined if it was extended, else the reason; `ended` if the
   * request has ended. Rejects if the database cannot be reached.
   */
  async extend(hold: Hold, morePico: bigint, model?: string): Promise<HoldRefusal | 'ended' | undefined> {
    if (this.tryExtend(hold, morePico, model)) return undefined
    const { keyId, startedAtMs } = hold
    const budgets = leasesFor(hold, model)?.set ?? noBudgets
    const result = await this.hold({ keyId, startedAtMs, budgets }, morePico)
    if ('refused' in result) return result.refused
    const more = result.hold
    // The request may have ended meanwhile.
    if (hold.settled) {
      this.settle(more, 0n)
      return 'ended'
    }
    hold.amountPico += morePico
    addToBudgets(hold, more.budgets, morePico)
    return undefined
  }

  /**
   * Ends a hold: its credit returns, except for the charge.
   * @param model the model that answered: budgets that only cover other models are not charged
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

  /** Records that charges are now in the database, with the resulting leases of keys and of budgets. */
  flushed(chargedPico: ReadonlyMap<string, bigint>, leases: ReadonlyMap<string, LeaseState>): void {
    this.#credit.flushed(chargedPico, leases)
    // Each book ignores the leases of the other.
    this.#budgets.flushed(chargedPico, leases)
  }

  /** Begins a new term of all leases; rejects if the database cannot be reached. */
  renew(): Promise<void> {
    return this.#credit.renew()
  }

  /** Totals of keys. For scrapers, not for the request path. */
  totals(): LeaseTotals {
    return this.#credit.totals()
  }

  budgetTotals(): LeaseTotals {
    return this.#budgets.totals()
  }

  /** The counts of keys' leases, as in `LeaseBook`. */
  get tally(): LeaseBook['tally'] {
    return this.#credit.tally
  }

  get budgetTally(): LeaseBook['tally'] {
    return this.#budgets.tally
  }

  #bookOf(leaseId: string): LeaseBook {
    return isBudgetLease(leaseId) ? this.#budgets : this.#credit
  }

  /** This method and the next four do the same as in `LeaseBook`, for a key or for a budget's period. */
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

  /** For a changed or deleted budget: does `limitsChanged` for each of its periods on this node. */
  async budgetChanged(budgetId: string): Promise<void> {
    const leases = this.#budgets.leaseIds.filter((leaseId) => budgetOfLease(leaseId).budgetId === budgetId)
    for (const leaseId of leases) await this.#budgets.limitsChanged(leaseId)
  }

  /** Does `limitsChanged` for all leases, because notices may have been missed. */
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
 * The hold's leases that this model's answer takes from; all of them before a model is known.
 * @returns undefined if there are none
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

/** Records in a hold that was extended which of its budgets were extended too. */
function addToBudgets(hold: Hold, grown: BudgetLeases | undefined, morePico: bigint): void {
  const { budgets, amountPico } = hold
  if (budgets === undefined || (budgets === grown && hold.budgetPico === undefined)) return
  hold.budgetPico ??= budgets.ids.map(() => amountPico - morePico)
  for (const leaseId of grown?.ids ?? []) hold.budgetPico[budgets.ids.indexOf(leaseId)]! += morePico
}

function refusalOf(budget: HardBudget, refused: HoldRefusal, startedAtMs: number): HoldRefusal {
  return { ...refused, budget: { rule: budget.rule, period: budget.periodAt(startedAtMs) } }
}

/** The refusal to report: of two budgets, one where waiting does not help, else the one with less left. */
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
