import { formatUsd } from '@turnpike/billing'
import type { Random } from '@turnpike/simulators'
import type { Admin } from './admin.ts'
import { between } from '../chance.ts'
import type { RequestPlan } from '../clients/requests.ts'

/**
 * Accounts and keys of the run, as the harness knows them. A slot is a place for a key: if its key is revoked
 * or rotated, the next key takes the place, so that a client's plan can name a slot whatever happens to keys.
 */
export interface World {
  accounts: WorldAccount[]
  slots: Slot[]
  keys: WorldKey[]
  organization: Organization
}

/** The account that is an organization, as far as the harness knows its members. */
export interface Organization {
  account: WorldAccount
  /** All who have ever been members; some of them may have left. */
  memberIds: string[]
  /** Includes archived ones. */
  projectIds: string[]
  /** How often each kind of change was made. */
  moves: string[]
  /** The API of users. @param isForIt whether the person acts for the organization, or for themselves */
  as(person: string, isForIt: boolean): Admin
  /** A request that no client of the run sends, but that is compared like theirs. */
  ask(plan: RequestPlan, key: WorldKey): Promise<void>
}

export interface WorldAccount {
  index: number
  id: string
  /**
   * `ample`: its keys always have more than all their requests can cost, so none may ever be refused for lack
   * of credit. `limited`: the same, but each of its keys may spend only a small part. `budgeted`: an
   * organization with as much credit, bounded by budgets. `owing`: the same, until one of its keys is
   * refunded more than the whole account has. `brief`: an organization that is closed soon after its
   * creation.
   */
  wealth: 'ample' | 'tight' | 'limited' | 'budgeted' | 'owing' | 'brief'
}

export interface Slot {
  account: WorldAccount
  /** Undefined while it has none: the old key is revoked, the new one not created yet. */
  key: WorldKey | undefined
  /**
   * Its first key has no credit of its own and draws on the account's. In an `ample` account this never
   * changes, since credit given to the key by name would be all that it has.
   */
  shares: boolean
}

export interface WorldKey {
  id: string
  /** Unique within the account; a rotation and a hand-over keep it. */
  name: string
  raw: string
  /** The key's owner; null: only the account. */
  memberId: string | null
  /** The key that it drew on when it was created. */
  drawsOn: string | null
  account: WorldAccount
  /** When the first call that could end it was sent, and when it certainly ended: the call's response. */
  endingSinceMs: number | undefined
  endedAtMs: number | undefined
  /**
   * The key that replaced it by rotation or hand-over: requests in its grace period, and refused ones after
   * it, belong to that key. `untold` if no response said whether it was rotated, and to which.
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

/** The last key of each account. */
export function sharesCredit(slot: number): boolean {
  return slot % keysAnAccount === keysAnAccount - 1
}

export function accountOfSlot(slot: number): number {
  return Math.floor(slot / keysAnAccount)
}

/** A key's initial credit, in USD. */
export function firstCreditUsd(random: Random, wealth: WorldAccount['wealth']): string {
  return wealth === 'tight' ? smallAmountUsd(random) : ampleCreditUsd
}

/** From less than one request's hold to some hundred answers, with all twelve decimals. */
export function smallAmountUsd(random: Random): string {
  return formatUsd(BigInt(between(random, 1, 400)) * 1_000_000_000n + BigInt(between(random, 1, 999_999_999)))
}
