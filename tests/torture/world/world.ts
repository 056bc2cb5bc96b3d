import { formatUsd } from '@turnpike/billing'
import type { Random } from '@turnpike/simulators'
import type { Admin } from './admin.ts'
import { between } from '../chance.ts'
import type { RequestPlan } from '../clients/requests.ts'

/**
 * Accounts and keys of the run, as the harness knows them. A slot is a place for a key: where its key is
 * revoked or rotated, the next one takes the place, so that a client's plan can name a slot whatever became
 * of keys.
 */
export interface World {
  accounts: WorldAccount[]
  slots: Slot[]
  keys: WorldKey[]
  organization: Organization
}

/** The account that is an organization, as far as the harness knows who belongs to it. */
export interface Organization {
  account: WorldAccount
  /** Of all that ever were members; some of them may have left. */
  memberIds: string[]
  /** Archived ones, too. */
  projectIds: string[]
  /** How often what was done to it. */
  moves: string[]
  /** The API of users. @param isForIt whether the person acts for the organization, or for themselves */
  as(person: string, isForIt: boolean): Admin
  /** A request that no client of the run sends, but that is compared as theirs. */
  ask(plan: RequestPlan, key: WorldKey): Promise<void>
}

export interface WorldAccount {
  index: number
  id: string
  /**
   * `ample`: its keys have more at all times than all their requests can cost, so none may ever be refused
   * for want of credit. `limited`: as much, but each of its keys may spend a small part of it only.
   * `budgeted`: an organization that has as much, bounded by budgets. `owing`: as much, until one of them is
   * refunded more than all of them have. `brief`: an organization that is closed soon after it was made.
   */
  wealth: 'ample' | 'tight' | 'limited' | 'budgeted' | 'owing' | 'brief'
}

export interface Slot {
  account: WorldAccount
  /** Undefined while it has none: the old one was revoked, the new one is not made yet. */
  key: WorldKey | undefined
  /**
   * Its first key has no credit of its own: it draws on the account's. In an `ample` account it always does,
   * since credit given to it by name would be all that it has.
   */
  shares: boolean
}

export interface WorldKey {
  id: string
  /** Its own: a rotation and a hand-over keep it. */
  name: string
  raw: string
  /** Whose it is; null: nobody's but the account's. */
  memberId: string | null
  /** The key on which it drew when it was made. */
  drawsOn: string | null
  account: WorldAccount
  /** When the first call that could end it was sent, and when it ended for sure: it was answered. */
  endingSinceMs: number | undefined
  endedAtMs: number | undefined
  /**
   * The key that it was rotated to, or handed over as: requests in its grace, and refused ones after it, are
   * that one's.
   * `untold` where no answer said whether it was rotated, and to which.
   */
  successor: WorldKey | 'untold' | undefined
}

const ampleAccounts = 2
const tightAccounts = 4
const limitedAccounts = 1
const budgetedAccounts = 1
const owingAccounts = 1
const keysAnAccount = 3

export const accountCount = ampleAccounts + tightAccounts + limitedAccounts + budgetedAccounts + owingAccounts
export const slotCount = accountCount * keysAnAccount
export const ampleCreditUsd = '100000'
/** More than all keys of an account have. */
export const debtUsd = '1000000'

export function wealthOf(accountIndex: number): WorldAccount['wealth'] {
  if (accountIndex < ampleAccounts) return 'ample'
  if (accountIndex < ampleAccounts + tightAccounts) return 'tight'
  if (accountIndex >= accountCount - owingAccounts) return 'owing'
  return accountIndex >= accountCount - owingAccounts - budgetedAccounts ? 'budgeted' : 'limited'
}

/** Of each account's keys the last one. */
export function sharesCredit(slot: number): boolean {
  return slot % keysAnAccount === keysAnAccount - 1
}

export function accountOfSlot(slot: number): number {
  return Math.floor(slot / keysAnAccount)
}

/** What a key begins with, in USD. */
export function firstCreditUsd(random: Random, wealth: WorldAccount['wealth']): string {
  return wealth === 'tight' ? smallAmountUsd(random) : ampleCreditUsd
}

/** From less than one request's hold to some hundred answers, with all twelve decimals. */
export function smallAmountUsd(random: Random): string {
  return formatUsd(BigInt(between(random, 1, 400)) * 1_000_000_000n + BigInt(between(random, 1, 999_999_999)))
}
