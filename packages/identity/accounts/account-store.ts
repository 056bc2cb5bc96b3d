import type { UserToken } from '../user-tokens/user-token.ts'
import type { Account, AccountStatus } from './account.ts'

export interface NewAccount {
  displayName?: string
  email?: string
  subject?: string
  tier: string
  /** No subject is given an account that is marked as an operator's: 403. */
  sparesOperators?: boolean
}

export interface AccountChanges {
  displayName?: string
  status?: AccountStatus
  tier?: string
  /** Null: the gateway's own choice again. */
  baselineModel?: string | null
  operator?: boolean
  logPrompts?: boolean
  keysMayTopUp?: boolean
  /** Null: the gateway's own choice again. */
  logDays?: number | null
}

/** All given conditions must hold. */
export interface AccountFilter {
  /**
   * The whole of an identifier (of an account, a key or a request), a subject or an address, or the
   * beginning of an address, of its domain (`@example.com`), of a name, of what stands behind the name's
   * first space, or of a key (`key_prefix`). Upper and lower case of ASCII letters are one.
   */
  search?: string
  status?: AccountStatus
  kind?: Account['kind']
  tier?: string
  operator?: boolean
  /** When it was made, in Unix epoch milliseconds; from, included. */
  fromMs?: number
  /** To, not included. */
  toMs?: number
}

export interface AccountPage {
  rows: Account[]
  nextCursor: string | null
}

export interface AccountStore {
  /**
   * The account with this subject or, without one, this email; made where there is none. The caller vouches
   * for the email; an account whose email nobody vouched for is not found by it.
   */
  provision(account: NewAccount, nowMs: number): Promise<{ account: Account; created: boolean }>
  /**
   * The account of a verified token's subject, made where there is none: the one that was made by email,
   * where the issuer vouches for that address. Email and name follow the token; a name that the user chose
   * here holds until the issuer tells another one.
   * @throws {GatewayError} 401 where the login of a token of the embedded provider's has ended
   */
  signIn(user: UserToken, tier: string, nowMs: number): Promise<Account>
  find(accountId: string): Promise<Account | undefined>
  /** Of all accounts that are marked as operators'. */
  operatorEmails(): Promise<string[]>
  /** By when they were made; the oldest first, unless asked for otherwise. */
  list(
    page: { limit: number; cursor?: string; order?: 'asc' | 'desc' },
    filter?: AccountFilter,
  ): Promise<AccountPage>
  update(accountId: string, changes: AccountChanges): Promise<Account | undefined>
  /**
   * Closes it for its owner, with all that says who they are; its keys are due to be revoked. False where it
   * is not active.
   */
  close(accountId: string, nowMs: number): Promise<boolean>
}
