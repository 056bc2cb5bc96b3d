import type { UserToken } from '../user-tokens/user-token.ts'
import type { Account, AccountStatus } from './account.ts'

export interface NewAccount {
  displayName?: string
  email?: string
  subject?: string
  tier: string
  /** True: an account that is marked as an operator's is not given a subject; the call fails with 403. */
  sparesOperators?: boolean
}

export interface AccountChanges {
  displayName?: string
  status?: AccountStatus
  tier?: string
  /** Null: back to the gateway's default. */
  baselineModel?: string | null
  operator?: boolean
  logPrompts?: boolean
  keysMayTopUp?: boolean
  /** Null: back to the gateway's default. */
  logDays?: number | null
}

/** All conditions that are set must hold. */
export interface AccountFilter {
  /**
   * Matches a whole identifier (of an account, a key or a request), subject or address; or the beginning of
   * an address, of its domain (`@example.com`), of a name, of the part of a name behind its first space, or
   * of a key (`key_prefix`). Upper and lower case of ASCII letters are equal.
   */
  search?: string
  status?: AccountStatus
  kind?: Account['kind']
  tier?: string
  operator?: boolean
  /** Created at or after this time, in Unix epoch milliseconds. */
  fromMs?: number
  /** Created before this time. */
  toMs?: number
}

export interface AccountPage {
  rows: Account[]
  nextCursor: string | null
}

export interface AccountStore {
  /**
   * Finds the account with this subject or, without a subject, with this email, and creates it if there is
   * none. The caller vouches for the email; an account whose email is not verified is not found by it.
   */
  provision(account: NewAccount, nowMs: number): Promise<{ account: Account; created: boolean }>
  /**
   * The account of a verified token's subject. If there is none: the account that was made by email, provided
   * the issuer vouches for that address; otherwise a new one. Email and name follow the token, except that a
   * name the user chose here stays until the issuer reports a different one.
   * @throws {GatewayError} 401 if the token is the embedded provider's and its login has ended
   */
  signIn(user: UserToken, tier: string, nowMs: number): Promise<Account>
  find(accountId: string): Promise<Account | undefined>
  /** The addresses of all accounts that are marked as operators'. */
  operatorEmails(): Promise<string[]>
  /** Ordered by creation time, oldest first by default. */
  list(
    page: { limit: number; cursor?: string; order?: 'asc' | 'desc' },
    filter?: AccountFilter,
  ): Promise<AccountPage>
  update(accountId: string, changes: AccountChanges): Promise<Account | undefined>
  /**
   * Closes the account at its owner's request and erases who they are; its keys become due for revocation.
   * False if the account is not active.
   */
  close(accountId: string, nowMs: number): Promise<boolean>
}
