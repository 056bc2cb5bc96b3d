import type { BudgetScope } from '../budgets/budget.ts'
import { budgetOfLease, isBudgetLease, type HardBudget } from '../budgets/hard-budget.ts'
import type { HoldRefusal } from './hold-refusal.ts'
import { noLimits, type BudgetHold, type Hold, type HoldResult } from './hold.ts'
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
  /** Each once. */
  budgets: readonly HardBudget[]
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
    if (budgets.length === 0) return this.#credit.tryHold(keyId, amountPico, startedAtMs)
    if (amountPico > 0n && this.#term.isOver()) return undefined
    const held: BudgetHold[] = []
    for (const budget of budgets) {
      const hold = this.#budgets.tryHoldInTerm(budget.leaseId(startedAtMs), amountPico, startedAtMs)
      if (hold === undefined) {
        this.#release(held)
        return undefined
      }
      held.push({ budget, hold })
    }
    const hold = this.#credit.tryHoldInTerm(keyId, amountPico, startedAtMs)
    if (hold === undefined) {
      this.#release(held)
      return undefined
    }
    hold.limits = held
    return hold
  }

  /** Whether the leases have anything that a request may be paid from; where not, there may still be more. */
  hasCredit({ keyId, startedAtMs, budgets }: Spender): boolean {
    return (
      this.#credit.covers(keyId, 1n, startedAtMs) &&
      budgets.every((budget) => this.#budgets.covers(budget.leaseId(startedAtMs), 1n, startedAtMs))
    )
  }

  /**
   * A hold, for which leases grow where they must and can. Of several budgets that do not cover it the one
   * with the least left is named. Rejects where the database cannot be asked; then nothing is held.
   */
  async hold(spender: Spender, amountPico: bigint): Promise<HoldResult> {
    const { keyId, startedAtMs, budgets } = spender
    const result = await this.#credit.hold(keyId, amountPico, startedAtMs)
    if ('refused' in result || budgets.length === 0) return result
    const { hold } = result
    try {
      const limits = await this.#holdBudgets(budgets, amountPico, startedAtMs)
      if ('refused' in limits) {
        this.settle(hold, 0n)
        const { refused } = limits
        return { refused: { ...refused, freePico: least(refused.freePico, this.freePico(spender)) } }
      }
      hold.limits = limits.held
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
  async #holdBudgets(
    budgets: readonly HardBudget[],
    amountPico: bigint,
    startedAtMs: number,
  ): Promise<{ held: BudgetHold[] } | { refused: HoldRefusal }> {
    const held: BudgetHold[] = []
    let refused: HoldRefusal | undefined
    try {
      for (const budget of budgets.toSorted(byId)) {
        const result = await this.#budgets.hold(budget.leaseId(startedAtMs), amountPico, startedAtMs)
        if ('hold' in result) held.push({ budget, hold: result.hold })
        // One that was deleted since the key was read bounds nobody.
        else if (result.refused.isGone !== true)
          refused = tighter(refused, refusalOf(budget, result.refused, startedAtMs))
      }
    } catch (error) {
      this.#release(held)
      throw error
    }
    if (refused === undefined) return { held }
    if (refused.budget !== undefined) this.shortBudgets[refused.budget.rule.scope]++
    this.#release(held)
    return { refused }
  }

  #release(held: readonly BudgetHold[]): void {
    for (const { hold } of held) this.#budgets.settle(hold, 0n)
  }

  /** What a spender has free, as far as this node knows: the least of its credit and its budgets. */
  freePico({ keyId, startedAtMs, budgets }: Spender): bigint {
    let freePico = this.#credit.freePico(keyId)
    for (const budget of budgets)
      freePico = least(freePico, this.#budgets.freePico(budget.leaseId(startedAtMs)))
    return freePico
  }

  /** The same for the request of a hold: of the budgets that it takes from, as `extend` does. */
  freeBeside(hold: Hold, model?: string): bigint {
    let freePico = this.#credit.freePico(hold.keyId)
    for (const { hold: limit } of taking(hold, model))
      freePico = least(freePico, this.#budgets.freePico(limit.keyId))
    return freePico
  }

  /**
   * More for a hold from what the leases have, at once; false where one of them has too little.
   * @param model that answers: budgets of others, which might have, are left as they are
   */
  tryExtend(hold: Hold, morePico: bigint, model?: string): boolean {
    if (hold.limits.length === 0) return this.#credit.tryExtend(hold, morePico)
    const limits = taking(hold, model)
    for (const { hold: limit } of limits)
      if (!this.#budgets.covers(limit.keyId, morePico, limit.startedAtMs)) return false
    if (!this.#credit.tryExtend(hold, morePico)) return false
    for (const { hold: limit } of limits) this.#budgets.tryExtend(limit, morePico)
    return true
  }

  /**
   * More for a hold that its request outgrows: undefined where it has grown, else why not. `ended`: so has
   * the request. Rejects where the database cannot be asked.
   */
  async extend(hold: Hold, morePico: bigint, model?: string): Promise<HoldRefusal | 'ended' | undefined> {
    if (this.tryExtend(hold, morePico, model)) return undefined
    const { keyId, startedAtMs } = hold
    const limits = taking(hold, model)
    const budgets = limits.map(({ budget }) => budget)
    const result = await this.hold({ keyId, startedAtMs, budgets }, morePico)
    if ('refused' in result) return result.refused
    const more = result.hold
    // The request may have ended while more was asked for.
    if (hold.settled) {
      this.settle(more, 0n)
      return 'ended'
    }
    hold.amountPico += morePico
    for (const { budget, hold: limit } of more.limits)
      limits.find((one) => one.budget === budget)!.hold.amountPico += limit.amountPico
    return undefined
  }

  /**
   * Ends a hold: what it took returns, but for the charge.
   * @param model that answered: budgets of others are charged nothing
   */
  settle(hold: Hold, chargePico: bigint, model?: string | null): void {
    const nowMs = Date.now()
    this.#credit.settle(hold, chargePico, nowMs)
    for (const { budget, hold: limit } of hold.limits)
      this.#budgets.settle(limit, countsFor(budget, model) ? chargePico : 0n, nowMs)
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

/** Whether what a model answered counts in the budget. */
function countsFor({ rule }: HardBudget, model: string | null | undefined): boolean {
  return rule.scope !== 'model' || rule.subject === model
}

/**
 * The leases of budgets that a charge for what this model answered takes from, with a space between them: a
 * text is written and read faster than a list. Undefined: there are none.
 */
export function findChargedLeases(hold: Hold, model: string | null): string | undefined {
  let charged: string | undefined
  for (const { budget, hold: limit } of hold.limits)
    if (countsFor(budget, model)) charged = charged === undefined ? limit.keyId : `${charged} ${limit.keyId}`
  return charged
}

/** Before a model is known, all of them. */
function taking({ limits }: Hold, model: string | undefined): readonly BudgetHold[] {
  if (limits.length === 0) return noLimits
  return model === undefined ? limits : limits.filter(({ budget }) => countsFor(budget, model))
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
