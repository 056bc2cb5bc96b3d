import type { Account, AccountStatus } from './account.ts'

export interface NewAccount {
  displayName?: string
  email?: string
  subject?: string
  tier: string
}

export interface AccountChanges {
  displayName?: string
  status?: AccountStatus
  tier?: string
}

export interface AccountPage {
  rows: Account[]
  nextCursor: string | null
}

export interface AccountStore {
  /** The account with this subject or, without one, this email; made where there is none. */
  provision(account: NewAccount, nowMs: number): Promise<{ account: Account; created: boolean }>
  find(accountId: string): Promise<Account | undefined>
  /** Oldest first. */
  list(page: { limit: number; cursor?: string }): Promise<AccountPage>
  update(accountId: string, changes: AccountChanges): Promise<Account | undefined>
}
