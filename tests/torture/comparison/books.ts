import type { Admin } from '../world/admin.ts'
import { randomOf } from '../chance.ts'
import type { World } from '../world/world.ts'

/** A request as the gateway recorded it. */
export interface Row {
  id: string
  account_id: string
  key_id: string
  /** Null: the key that sent the request. */
  paid_by: string | null
  /** When it began, by its node's clock, in Unix epoch seconds. */
  created_at: number
  model_served: string | null
  tags: string[]
  outcome: 'completed' | 'client_closed' | 'upstream_cut' | 'credit_exhausted' | 'failed'
  status: number
  tokens_in: number
  tokens_out: number
  cost_usd: string
  error_type: string | null
}

/** The key whose credit paid. */
export function payerOf({ paid_by: paidBy, key_id: keyId }: Row): string {
  return paidBy ?? keyId
}

export interface Entry {
  id: string
  kind: string
  amount_usd: string
  change_usd: string
  debit_account: string
  credit_account: string
  reference: string
  request_id: string | null
}

export interface KeyRecord {
  id: string
  name: string
  status: 'active' | 'revoked'
  draws_on: string | null
  replaced_by: string | null
  member_id: string | null
  balance_usd: string
  spend_limit_usd: string | null
  /** Within its limit's period, including the keys that it replaced. */
  spent_usd: string | null
}

export interface AccountBooks {
  accountId: string
  unassignedUsd: string
  keys: KeyRecord[]
  rows: Row[]
  entries: Entry[]
  /** Of all requests, from the usage endpoint. */
  summary: { total_requests: number; total_cost_usd: string }
  /** Of all requests including failed ones, from the health endpoint. */
  health: Health
}

export interface Health {
  requests: number
  completed: number
  tokens_in: number
  errors: { type: string; requests: number }[]
}

interface Page<Value> {
  data: Value[]
  next_cursor: string | null
}

const random = randomOf(0, 'books')

/** Everything that the gateway reports about all accounts. */
export async function readBooks(admin: Admin, world: World): Promise<AccountBooks[]> {
  const books: AccountBooks[] = []
  for (const { id } of world.accounts) {
    const path = `/accounts/${id}`
    const account = await admin.ask<{ unassigned_usd: string }>(random, 'GET', path)
    books.push({
      accountId: id,
      unassignedUsd: account.unassigned_usd,
      keys: await readKeys(admin, id),
      rows: await exported(admin, id),
      entries: await all<Entry>(admin, `${path}/ledger`),
      summary: await admin.ask(random, 'GET', `${path}/usage?days=2`),
      health: (await admin.ask<{ total: Health }>(random, 'GET', `${path}/usage/health?days=2`)).total,
    })
  }
  return books
}

/** All keys of an account, including revoked ones. */
export function readKeys(admin: Admin, accountId: string): Promise<KeyRecord[]> {
  return all<KeyRecord>(admin, `/accounts/${accountId}/keys`)
}

/** A request's hold at its end, in USD, which only the request's own page reports. */
export async function holdUsdOf(admin: Admin, row: Row): Promise<string> {
  const path = `/accounts/${row.account_id}/usage/requests/${row.id}`
  const { hold_usd: holdUsd } = await admin.ask<{ hold_usd: string }>(random, 'GET', path)
  return holdUsd
}

async function all<Value>(admin: Admin, path: string): Promise<Value[]> {
  const values: Value[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = `?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const page: Page<Value> = await admin.ask(random, 'GET', path + query)
    values.push(...page.data)
    cursor = page.next_cursor
  }
  return values
}

/** @param condition filters the rows by a query such as `model=…`; absent: all rows */
export async function exported(admin: Admin, accountId: string, condition: string = ''): Promise<Row[]> {
  const query = ['format=jsonl', 'days=2', condition].filter((part) => part !== '').join('&')
  const path = `/accounts/${accountId}/usage/export?${query}`
  const { status, text } = await admin.call(random, 'GET', path)
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}
