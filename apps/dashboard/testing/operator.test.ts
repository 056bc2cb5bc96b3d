import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { expectAccessible, screen } from './accessible.ts'
import { seedRequests } from './seed.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { errorAt, noDialog, operatorAccount, signUp } from './visitor.ts'

/** Names and texts that are meant to mislead, to inject code or to overflow. */
const hostileName = `<img src=x onerror="document.title='broken'">\u202Egnirts\u202C ${'w'.repeat(40)}`
const hostileKey = `"><script>document.title='broken'</script> ${'k'.repeat(40)}`
const hostileReason = `javascript:alert(1) \u202Eevil ${'r'.repeat(300)}`

const views = [
  '/operator?q=lovelace',
  '/operator?status=suspended&days=7',
  '/operator?kind=organization',
  '/operator?show=revenue&days=7',
  '/operator?show=health',
  '/operator?show=upstreams&days=1',
  '/operator?show=prices&days=90',
  '/operator?show=audit&actor=operator',
  '/operator?show=invites&state=open',
  '/operator?show=invites&action=invite',
  '/operator?show=books',
  '/operator/accounts/:account',
  '/operator/accounts/:account?show=keys',
  '/operator/accounts/:account?show=ledger',
  '/operator/accounts/:account?show=topups',
  '/operator/accounts/:account?show=budgets',
  '/operator/accounts/:account?show=budgets&action=new-budget',
  '/operator/accounts/:account?show=events',
  '/operator/accounts/:organization?show=members',
  '/operator/accounts/:account?show=audit',
  '/operator/accounts/:account?action=credit',
  '/operator/requests/:request',
]

describeInBrowser('an operator', { timeout: 120_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let page: Page
  let customer: string
  let key: TestKey
  let requestId: string
  let organization: string

  beforeAll(async () => {
    ;({ node, page } = await openDashboard({ bypassCSP: true }))
    await signUp({ page }, node, 'ada@example.com')
    await operatorAccount(node)
    const made = await node.admin<{ id: string }>('/accounts', {
      method: 'POST',
      body: { email: 'grace@example.com', display_name: hostileName },
    })
    customer = made.id
    key = await node.createKey({ accountId: customer, creditUsd: '50' })
    await node.admin(`/accounts/${customer}/keys/${key.id}`, { method: 'PATCH', body: { name: hostileKey } })
    await seedRequests(node, [key], { count: 3_000, days: 20 })
    const credit = { kind: 'grant', amount_usd: '5', reason: hostileReason }
    await node.admin(`/accounts/${customer}/credits`, { method: 'POST', body: credit })
    const recent = await node.admin<{ data: { id: string }[] }>('/usage/requests?limit=1')
    requestId = recent.data[0]!.id
    const organizationData = {
      name: hostileName,
      personId: customer,
      tier: 'free',
      toldRoles: [],
      mostOfPerson: 1,
    }
    organization = await node.storage.organizations.create(organizationData, Date.now())
  }, 120_000)

  const placed = (view: string): string =>
    view.replace(':account', customer).replace(':organization', organization).replace(':request', requestId)

  async function open(view: string): Promise<void> {
    await page.setViewportSize(screen)
    await page.goto(node.origin + placed(view))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
  }

  /** Changes the database directly, as with its own client. */
  function execute(statement: string): void {
    const database = new DatabaseSync(join(node.dataDir, 'turnpike.db'), { timeout: 5_000 })
    try {
      database.exec(statement)
    } finally {
      database.close()
    }
  }

  const tab = (label: string): Locator => page.locator('label').getByText(label, { exact: true })
  const addressOf = (): URLSearchParams => new URL(page.url()).searchParams

  for (const view of views)
    test(`${view} is accessible in both themes, and fits a phone`, async () => {
      await open(view)
      await expectAccessible(page)
      expect(await page.title()).not.toContain('broken')
    })

  test('finds an account by any known fact, with the search in the address', async () => {
    await open('/operator')
    const search = page.getByRole('textbox', { name: 'Search accounts' })
    const rows = page.getByRole('region', { name: 'Accounts' }).getByRole('row')
    for (const [text, expected] of [
      ['grace@', 'grace@example.com'],
      [key.id, 'grace@example.com'],
      [requestId, 'grace@example.com'],
      ['lovelace', 'ada@example.com'],
    ] as const) {
      await search.fill(text)
      await expect.poll(() => addressOf().get('q')).toBe(text)
      await rows.filter({ hasText: expected }).waitFor()
      await expect
        .poll(() => rows.count().then((count) => [text, count]), { timeout: 10_000 })
        .toEqual([text, 2])
    }
    await search.fill('sk-turnpike-abcdEFGHijklMNOP')
    await expect.poll(() => addressOf().get('q')).toBe('sk-turnpike-abcd')
    await search.fill('nobody at all')
    await page.getByText('No matching accounts').waitFor()
  })

  test("sees an account's keys, requests, ledger and audit log", async () => {
    await open(`/operator?q=${customer}`)
    await page.getByRole('link', { name: hostileName }).click()
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    await page.getByRole('combobox', { name: 'Outcome' }).click()
    await page.getByRole('option', { name: 'Failed' }).click()
    const failed = page
      .getByRole('region', { name: 'Requests' })
      .getByRole('row')
      .filter({ hasText: 'Failed' })
    await failed.first().getByRole('link').click()
    await page.getByRole('heading', { name: 'Request of a customer' }).waitFor()
    await page.getByText('503').first().waitFor()
    await page.getByRole('link', { name: 'Account' }).click()
    await failed.first().waitFor()
    expect(addressOf().get('outcome')).toBe('failed')
    await tab('Keys').click()
    const keys = page.getByRole('region', { name: 'Keys of the account' })
    await keys.getByText(hostileKey).waitFor()
    await tab('Ledger').click()
    await page.getByRole('region', { name: 'Transactions' }).getByText(hostileReason).waitFor()
    await tab('Audit').click()
    const audit = page.getByRole('region', { name: 'Audit log' })
    await audit.getByText('Move credit').first().waitFor()
    await audit.getByText(hostileReason).waitFor()
    await audit.getByText('Internal secret').first().waitFor()
    expect(await page.title()).not.toContain('broken')
  })

  test("sees the health of all accounts' requests, by model and by provider", async () => {
    await open('/operator?show=health&days=30')
    const table = page.getByRole('region', { name: 'Health by model' })
    await table.getByRole('row').nth(1).waitFor()
    await page.getByRole('region', { name: 'Errors by cause' }).getByRole('row').nth(1).waitFor()
    expect(await table.getByRole('link').count()).toBe(0)
    await page.getByText('By provider', { exact: true }).click()
    await page.getByRole('region', { name: 'Health by provider' }).getByRole('row').nth(1).waitFor()
  })

  test("follows a link from a customer's unpaid request to the credit of that account", async () => {
    const poor = await node.createKey({ accountId: customer })
    await node.admin(`/accounts/${customer}/keys/${poor.id}`, {
      method: 'PATCH',
      body: { spend_limit_usd: '0', spend_limit_period: 'total' },
    })
    const body = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'hi' }] }
    expect((await node.chat(poor, body)).status).toBe(402)
    const failed = (): Promise<{ data: { id: string }[] }> =>
      node.admin(`/usage/requests?key_id=${poor.id}&outcome=failed`)
    await expect.poll(async () => (await failed()).data.length).toBe(1)
    await open(`/operator/requests/${(await failed()).data[0]!.id}`)
    await page.getByRole('link', { name: 'Credit of the account' }).click()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/operator/accounts/${customer}`)
    await page.getByRole('dialog').getByLabel('Amount').waitFor()
  })

  test('gives credit with a reason and suspends an account, and finds both in the audit log', async () => {
    await open(`/operator/accounts/${customer}`)
    await page.getByRole('button', { name: 'Adjust credit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('some')
    await dialog.getByLabel('Reason').fill('goodwill')
    await dialog.getByRole('button', { name: 'Post' }).click()
    expect(await errorAt(dialog.getByLabel('Amount'))).toMatch(/^Expected \S/)
    await dialog.getByLabel('Amount').fill('2.5')
    await dialog.getByRole('button', { name: 'Post' }).click()
    await noDialog(page)
    await page.getByRole('button', { name: 'Suspend, tier' }).click()
    await dialog.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Suspended' }).click()
    await dialog.getByLabel('Reason').fill('card was stolen')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await noDialog(page)
    await page.getByRole('button', { name: 'Resume, tier' }).waitFor()
    await open('/operator?show=audit&who=ada@example.com')
    const rows = page.getByRole('region', { name: 'Audit log' }).getByRole('row')
    await rows.filter({ hasText: 'card was stolen' }).filter({ hasText: 'Update account' }).waitFor()
    await rows.filter({ hasText: 'goodwill' }).filter({ hasText: 'ada@example.com' }).waitFor()
    await page.getByRole('combobox', { name: 'Result' }).click()
    await page.getByRole('option', { name: 'Refused' }).click()
    await expect.poll(() => addressOf().get('result')).toBe('refused')
    await open('/operator?show=audit&who=nobody@example.com')
    await page.getByText('No actions').waitFor()
    await node.admin(`/accounts/${customer}`, { method: 'PATCH', body: { status: 'active' } })
  })

  test('creates an invitation, sees its code once, and revokes it', async () => {
    await open('/operator?show=invites')
    await page.getByRole('button', { name: 'Invite someone' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address (optional)').fill('no address')
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    await dialog.getByText('Expected an email address').waitFor()
    await dialog.getByLabel('Address (optional)').fill('hopper@example.com')
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await noDialog(page)
    const row = page.getByRole('row').filter({ hasText: 'hopper@example.com' })
    await row.getByText('open').waitFor()
    await row.getByRole('button').click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await noDialog(page)
    await page.getByText('No invitations').waitFor()
  })

  test('sees how often upstreams failed in a range, with the request of the last error', async () => {
    await open('/operator?show=upstreams&days=7')
    const upstreams = page.getByRole('region', { name: 'Failures of the upstreams' })
    const row = upstreams.getByRole('row').filter({ hasText: 'openai/gpt-5-mini' })
    await row.getByText('status-529').waitFor()
    await row.getByText('%').first().waitFor()
    await row.getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Request of a customer' }).waitFor()
  })

  test('sees which prices changed, the old and new price, and the source', async () => {
    const { storage } = node
    const list = { version: 'prices_of_the_test', nodeId: 'node_of_the_test', sourceOf: () => hostileReason }
    const before = { 'a/model': { prompt: '0.000001', completion: '0.000002' } }
    await storage.priceHistory.record({ ...list, prices: before }, Date.now())
    const after = { 'a/model': { prompt: '0.0000015', completion: 'absurd' } }
    await storage.priceHistory.record({ ...list, prices: after }, Date.now())
    await open('/operator?show=prices&days=1&model=a/model')
    const row = page.getByRole('row').filter({ hasText: '$1.50' })
    for (const text of ['$1.00', '+50 %', 'a/model']) await row.getByText(text).waitFor()
    await page.getByRole('row').filter({ hasText: '$absurd' }).waitFor()
    await open('/operator?show=prices&from=2020-01-01&to=2020-01-02')
    await page.getByText('No price changes').waitFor()
  })

  test('verifies the ledger with each click, and reads what differs', async () => {
    await open('/operator?show=books')
    const button = page.getByRole('button', { name: 'Verify ledger' })
    await button.click()
    await page.getByText('No differences').waitFor()
    execute(`UPDATE ledger_accounts SET balance_pico = balance_pico + 7 WHERE id = 'key:${key.id}'`)
    await button.click()
    await page.getByText(`The stored balance of key:${key.id}`).first().waitFor()
    await page.getByText('post an adjustment for the difference').first().waitFor()
    await page.getByRole('link', { name: 'The key’s account' }).first().click()
    await page.getByRole('row').filter({ hasText: 'grace@example.com' }).waitFor()
    execute(`UPDATE ledger_accounts SET balance_pico = balance_pico - 7 WHERE id = 'key:${key.id}'`)
  })

  test('writes a refused row again, and removes one that was settled by hand', async () => {
    // A row that breaks a constraint, so that the database always refuses it.
    for (const tag of ['first', 'second'])
      execute(`CREATE TRIGGER refuse_${tag} BEFORE INSERT ON requests WHEN NEW.tags LIKE '%refused ${tag}%'
        BEGIN SELECT RAISE(ABORT, 'no ${tag} <b>row</b> of "x"'); END`)
    const ids: string[] = []
    for (const tag of ['first', 'second']) {
      const body = {
        model: 'sandbox/echo',
        messages: [{ role: 'user', content: 'hi' }],
        metadata: { tags: [`refused ${tag}`] },
      }
      const answer = await node.chat(key, body)
      expect(answer.status).toBe(200)
      ids.push(answer.headers.get('x-request-id')!)
    }
    await open('/operator?show=books')
    const rows = page.getByRole('region', { name: 'Rows missing from the ledger' }).getByRole('row')
    const [first, second] = ids.map((id) => rows.filter({ hasText: id })) as [Locator, Locator]
    await second.getByText('no second <b>row</b> of "x"').waitFor()
    const { ok } = await node.admin<{ ok: boolean }>('/ledger/verify')
    expect(ok).toBe(false)
    execute('DROP TRIGGER refuse_first')
    await first.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => first.count()).toBe(0)
    expect(await node.admin(`/usage/requests/${ids[0]}`)).toMatchObject({ id: ids[0], key_id: key.id })
    await second.getByRole('button', { name: 'Retry' }).click()
    await second.getByText('It was rejected again').waitFor()
    await second.getByRole('button', { name: 'Discard' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('How it was settled').fill('adjusted')
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await noDialog(page)
    await page.getByText('None. Every request is in the ledger').waitFor()
    execute('DROP TRIGGER refuse_second')
    expect(await node.admin('/ledger/verify')).toMatchObject({ ok: true })
    const { data } = await node.admin<{ data: { action: string; target: string; details: object }[] }>(
      '/audit?limit=3',
    )
    expect(data).toMatchObject([
      { action: 'discardSetAsideRow', details: { reason: 'adjusted' } },
      { action: 'retrySetAsideRow' },
      { action: 'retrySetAsideRow' },
    ])
  })

  test('cannot open these pages after losing the role', async () => {
    const { data } = await node.admin<{ data: { id: string }[] }>('/accounts?search=ada@example.com')
    await node.admin(`/accounts/${data[0]!.id}`, { method: 'PATCH', body: { operator: false } })
    for (const view of [
      '/operator?show=audit',
      '/operator/accounts/:account',
      '/operator/requests/:request',
    ]) {
      await page.goto(node.origin + placed(view))
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    }
  })
})
