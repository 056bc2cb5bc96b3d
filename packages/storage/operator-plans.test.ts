import type { AccountFilter, AuditFilter } from '@turnpike/identity'
import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { accountStore } from './accounts/accounts.ts'
import { attemptStore } from './attempts/attempts.ts'
import { auditStore } from './audit/audit.ts'
import type { Database } from './database/database.ts'
import type { Engine } from './database/engine.ts'
import { inviteStore } from './identity/invites.ts'
import { priceHistoryStore } from './prices/price-history.ts'
import { openDatabase } from './testing/open-database.ts'
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts'
import { openStorage } from './open-storage.ts'

/*
 * An operator's lookups must read few rows, however many there are. These tests check the query plans of both
 * engines, on tables that are large enough for the planner to matter.
 */

const rowCount = 20_000
const nowMs = Date.UTC(2026, 2, 15)
const hourMs = 3_600_000

/** 26 characters after a prefix, in the order of the number. */
const identifier = (prefix: string): string =>
  `'${prefix}_' || substr('00000000000000000000000000' || n, -26)`
const identifierIn = {
  sqlite: identifier,
  postgres: (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`,
}

function fill(engine: Engine): string[] {
  const id = identifierIn[engine]
  const numbers =
    engine === 'postgres'
      ? `generate_series(1, ${rowCount}) as numbers (n)`
      : `(with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${rowCount})
          select n from counted) as numbers`
  const one = (value: string): string => `case when n % 5000 = 0 then ${value}`
  return [
    `insert into accounts (id, display_name, email, subject, status, tier, created_at_ms, email_verified)
     select ${id('acct')}, 'Name' || n || ' Family' || n,
       'user' || n || '@domain' || (n % 1000) || '.example', 'subject-' || n,
       ${one("'suspended'")} else 'active' end, ${one("'gold'")} else 'free' end, n, 1
     from ${numbers}`,
    `insert into organizations (account_id, created_by, created_at_ms)
     select id, id, 1 from accounts where status = 'suspended'`,
    `insert into ledger_accounts (id, kind, account_id, balance_pico)
     select 'unassigned:' || id, 'unassigned_credit', id, 0 from accounts`,
    `insert into audit_entries (request_id, at_ms, actor, subject, action, account_id, target, status,
       address)
     select ${id('req')}, n, ${one("'operator'")} else 'user' end, 'subject-' || (n % 997),
       ${one("'moveCredit'")} else 'createKey' end, ${id('acct')}, ${id('key')},
       ${one('403')} else 201 end, '127.0.0.1' from ${numbers}`,
    `insert into price_changes (id, model, price, source, version, node_id, created_at_ms)
     select ${id('prc')}, 'vendor/model' || (n % 500), 'prompt', 'built in', 'v', 'n', n from ${numbers}`,
    `insert into identity_users (id, email, email_verified, password_hash, created_at_ms)
     values ('usr_1', 'usr@example.com', 1, 'x', 1)`,
    `insert into identity_invites (id, code_hash, created_at_ms, expires_at_ms, used_at_ms, used_by)
     select ${id('inv')}, 'hash' || n, n, n, ${one('null')} else n end, ${one('null')} else 'usr_1' end
     from ${numbers}`,
    `insert into attempt_totals (period, node_id, provider, model, result, attempts, duration_ms,
       last_request_id, last_at_ms)
     select 'h' || (2000 + n / 10) || '-01-01T00', 'node' || (n % 10), 'p', 'm', 'ok', 1, 1, 'r', 1
     from ${numbers}`,
    'analyze',
  ]
}

const engines = (['sqlite', 'postgres'] as const).filter(
  (engine) => engine === 'sqlite' || inject('postgresUrl') !== null,
)

describe.each(engines)('operator lookups on %s', (engine) => {
  let test: TestDatabase
  let database: Database
  const asked: RootOperationNode[] = []

  beforeAll(async () => {
    test = await createTestDatabase(engine)
    await (await openStorage(test.options)).close()
    for (const statement of fill(engine)) await test.execute(statement)
    const opened = await openDatabase(test.options)
    const watch: KyselyPlugin = {
      transformQuery({ node }) {
        asked.push(node)
        return node
      },
      transformResult: async ({ result }) => result,
    }
    database = { ...opened, read: opened.read.withPlugin(watch), close: () => opened.close() }
  }, 60_000)
  afterAll(async () => {
    await database.close()
    await test.drop()
  })

  /** The plans of all queries that `work` runs. */
  async function plansOf(work: () => Promise<unknown>): Promise<string> {
    asked.length = 0
    await work()
    const plans: string[] = []
    const executor = database.write.getExecutor()
    for (const node of asked) {
      const { sql, parameters } = executor.compileQuery(node, { queryId: 'plan' })
      const explain = engine === 'postgres' ? 'explain' : 'explain query plan'
      const { rows } = await database.write.executeQuery<Record<string, unknown>>(
        CompiledQuery.raw(`${explain} ${sql}`, [...parameters]),
      )
      plans.push(...rows.map((row) => String(row['QUERY PLAN'] ?? row['detail'])))
    }
    return plans.join('\n')
  }

  /** Matches a full scan of a table. A scan in index order is allowed, since it may end after a page. */
  const whole =
    engine === 'postgres'
      ? /Seq Scan on (?:accounts|audit_entries|price_changes|identity_invites|attempt_totals|ledger_accounts)/
      : /SCAN (?:accounts|audit_entries|price_changes|identity_invites|attempt_totals)\b(?! USING)/

  const page = { limit: 50 }
  const accountId = `acct_${'0'.repeat(21)}12345`

  it.each<[string, AccountFilter]>([
    ['a name', { search: 'name12345' }],
    ['a family name', { search: 'family12345' }],
    ['an address', { search: 'user12345@' }],
    ['a domain', { search: '@domain77.example' }],
    ['a subject', { search: 'subject-12345' }],
    ['an account', { search: accountId }],
    ['a key', { search: `key_${'0'.repeat(26)}` }],
    ["a key's beginning", { search: 'sk-turnpike-abcd' }],
    ['a request', { search: `req_${'0'.repeat(26)}` }],
    ['a status', { status: 'suspended' }],
    ['a tier', { tier: 'gold' }],
    ['operators', { operator: true }],
    ['organizations', { kind: 'organization' }],
    ['a range', { fromMs: nowMs, toMs: nowMs + hourMs }],
    ['a name and a status', { search: 'name123', status: 'suspended' }],
  ])('find accounts by %s through an index', async (_, filter) => {
    const accounts = accountStore(database)
    for (const order of ['asc', 'desc'] as const)
      expect(await plansOf(() => accounts.list({ ...page, order }, filter))).not.toMatch(whole)
  })

  it.each<[string, AuditFilter]>([
    ['nothing', {}],
    ['an actor', { actor: 'operator' }],
    ['a subject', { subject: 'subject-5' }],
    ['an address', { who: 'user5@domain5.example' }],
    ['an action', { action: 'moveCredit' }],
    ['refusals', { refused: true }],
    ['an account', { accountId }],
    ['a target', { target: accountId.replace('acct', 'key') }],
    ['a range', { fromMs: nowMs, toMs: nowMs + hourMs }],
  ])('read the audit log by %s through an index', async (_, filter) => {
    const audit = auditStore(database)
    const plan = await plansOf(() => audit.list(filter, page))
    expect(plan).not.toMatch(whole)
    if (Object.keys(filter).length > 0 && engine === 'sqlite')
      expect(plan).toMatch(/SEARCH audit_entries|USING INDEX audit_entries_refused/)
  })

  it('find price changes, invitations and attempts through an index', async () => {
    const [prices, invites, attempts] = [
      priceHistoryStore(database),
      inviteStore(database),
      attemptStore(database),
    ]
    const range = { fromMs: nowMs, toMs: nowMs + 24 * hourMs }
    for (const work of [
      () => prices.list({ model: 'vendor/model7' }, page),
      () => prices.list(range, page),
      () => invites.list(page, { state: 'open', nowMs: 1 }),
      () => invites.list(page, { state: 'expired', nowMs }),
      () => attempts.upstreams(range),
      () => attempts.periods(range, 'hour'),
    ])
      expect(await plansOf(work)).not.toMatch(whole)
  })
})
