import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { formatUsd, parseUsd } from '@turnpike/billing'
import { SmtpServer } from '@turnpike/simulators/mail/smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newRecord } from '../../../packages/storage/testing/fixtures.ts'
import { scripted } from '../../../tests/conformance/sdk-node.ts'
import { suiteServer, suiteVendor } from '../../../tests/nodes/suite.ts'
import type { TestKey } from '../../../tests/nodes/test-node.ts'
import { startStripeNode, stripeSessionOf, type StripeNode } from '../topups/testing/stripe-node.ts'
import { subjectOf } from './testing/plain-text.ts'
import { WebhookReceiver } from './testing/webhook-receiver.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const messages = [{ role: 'user', content: 'one two three [sandbox: pace=0]' }]
const operators = 'ops@example.com'

interface Told {
  type: string
  data: Record<string, unknown>
}

/** Causes events on a whole gateway and checks what its receivers get. */
describe('a webhook and a mail are sent when', () => {
  let shop: StripeNode
  const vendor = suiteVendor()
  const smtp = suiteServer(new SmtpServer())
  const receiver = suiteServer(new WebhookReceiver())
  let accounts = 0

  beforeAll(async () => {
    shop = await startStripeNode(undefined, {
      providers: {
        sandbox: { style: 'sandbox' },
        vendor: { style: 'openai', base_url: vendor.baseUrl(), api_keys: ['sk-of-the-vendor'] },
      },
      models: { 'vendor/m': { pricing: { prompt: '0', completion: '0' } } },
      webhooks: { allowed_networks: ['127.0.0.1'] },
      mail: { smtp: smtp.settings, from: 'alerts@gateway.test' },
    })
    for (const target of [hook(), { kind: 'mail', email: operators }])
      await call('/event-targets', 'POST', target)
  })
  afterAll(() => shop.stop())

  const hook = () => ({ kind: 'webhook', url: receiver.url })
  const call = <Body = Record<string, unknown>>(path: string, method = 'GET', body?: object): Promise<Body> =>
    shop.node.admin<Body>(path, { method, ...(body !== undefined && { body }) })

  interface Customer {
    email: string
    key: TestKey
    path: string
  }
  /** An account whose webhook and own address receive all events. */
  async function customer(creditUsd: string, madeMs = Date.now()): Promise<Customer> {
    const email = `customer-${++accounts}@example.com`
    const { account } = await shop.node.storage.accounts.provision({ email, tier: 'free' }, madeMs)
    const key = await shop.node.createKey({ accountId: account.id, creditUsd })
    const path = `/accounts/${account.id}`
    for (const target of [hook(), { kind: 'mail' }]) await call(`${path}/event-targets`, 'POST', target)
    return { email, key, path }
  }

  /** Expects that both received the event. */
  async function expectTold(
    { email, accountId }: { email: string; accountId: string | null },
    event: Told,
    subject: string,
  ): Promise<void> {
    const received = (): Told[] =>
      receiver.received
        .map(({ body }) => JSON.parse(body) as Told)
        .filter(({ type, data }) => type === event.type && data['account_id'] === accountId)
    const letters = (): string[] => smtp.letters.filter(({ to }) => to.includes(email)).map(subjectOf)
    await expect
      .poll(received, { timeout: 30_000 })
      .toContainEqual(expect.objectContaining({ data: expect.objectContaining(event.data) }))
    await expect.poll(letters, { timeout: 30_000 }).toContainEqual(expect.stringContaining(subject))
  }
  const ofCustomer = ({ email, key }: Customer) => ({ email, accountId: key.accountId })

  const chat = async (key: TestKey, body: object = {}): Promise<bigint> => {
    const answer = await shop.node.chat(key, { model: 'sandbox/echo', messages, ...body })
    expect(answer.status).toBe(200)
    const { usage } = (await answer.json()) as { usage: { cost_usd: string } }
    return parseUsd(usage.cost_usd)
  }
  const spend = (key: TestKey, usd: string, atMs: number) =>
    shop.node.storage.requests.write('node_of_the_test', [
      newRecord(key, { startedAtMs: atMs, chargePico: parseUsd(usd) }),
    ])

  test('a request takes the credit below a threshold', async () => {
    const one = await customer('5')
    await call(`${one.path}/alerts/balance`, 'PUT', { enabled: true, threshold_usd: '5' })
    await chat(one.key)
    const data = { threshold_usd: '5', balance_usd: expect.stringMatching(/^4\.99/) }
    await expectTold(ofCustomer(one), { type: 'balance.low', data }, 'Credit is low: 4.99')
  })

  test('credit will last for fewer days than the threshold', async () => {
    const one = await customer('50')
    for (const day of [1, 2]) await spend(one.key, '10', Date.now() - day * dayMs)
    await call(`${one.path}/alerts/runway`, 'PUT', { enabled: true, days: 7 })
    // Three, or slightly more if midnight has passed since.
    const data = { balance_usd: '30', days_left: expect.any(Number), threshold_days: 7 }
    await expectTold(ofCustomer(one), { type: 'balance.runway', data }, 'Credit lasts for about ')
  })

  test('an hour costs more than five times the usual', async () => {
    const nowMs = Date.now()
    const one = await customer('500', nowMs - 30 * dayMs)
    for (let day = 1; day <= 14; day++) await spend(one.key, '2', nowMs - day * dayMs)
    await spend(one.key, '11', nowMs)
    await call(`${one.path}/alerts/unusual_spend`, 'PUT', { enabled: true })
    const data = { spent_usd: '11', usual_usd: '2', hour_started_at: Math.floor(nowMs / hourMs) * 3600 }
    await expectTold(ofCustomer(one), { type: 'spend.unusual', data }, 'Unusual spending: 11 USD in an hour')
  })

  test('requests use 50, 80 and 100 % of a budget', async () => {
    const one = await customer('5')
    const tagged = { metadata: { tags: ['team:search'] } }
    const costPico = await chat(one.key, tagged)
    const { id } = await call(`${one.path}/budgets`, 'POST', {
      name: 'Search',
      scope: 'tag',
      subject: 'team:search',
      period: 'total',
      hard: false,
      limit_usd: formatUsd(costPico * 10n),
    })
    let made = 1
    for (const [percent, count] of [
      [50, 5],
      [80, 8],
      [100, 10],
    ] as const) {
      for (; made < count; made++) expect(await chat(one.key, tagged)).toBe(costPico)
      const data = { budget_id: id, percent, spent_usd: formatUsd(costPico * BigInt(count)) }
      const subject = `The budget "Search" has reached ${percent} %`
      await expectTold(ofCustomer(one), { type: 'budget.threshold', data }, subject)
    }
  })

  test('a key is about to expire', async () => {
    const nowMs = Date.now()
    const one = await customer('5')
    const { accountId } = one.key
    const { id } = await shop.node.storage.apiKeys.create(
      {
        accountId,
        name: 'nightly',
        keyPrefix: 'sk-turnpike-old',
        keyHash: `hash ${nowMs}`,
        allowedModels: null,
        spendLimitPico: null,
        spendLimitPeriod: null,
        drawsOn: null,
        expiresAtMs: nowMs + 3 * dayMs,
      },
      nowMs - 30 * dayMs,
    )
    await call(`${one.path}/alerts/key_expiry`, 'PUT', { enabled: true, days: 7 })
    const data = { key_id: id, name: 'nightly', days: 7 }
    await expectTold(
      ofCustomer(one),
      { type: 'key.expiring', data },
      'The key "nightly" expires within 7 days',
    )
  })

  test('a top-up is paid and refunded, and another one fails', async () => {
    const one = await customer('1')
    const topup = await shop.buy(one.key, '25')
    const sessionId = stripeSessionOf(topup)
    await shop.deliver(shop.stripe.account.pay(sessionId))
    const paid = { session_id: topup.session_id, paid_usd: '25', refunded_usd: '0' }
    await expectTold(ofCustomer(one), { type: 'topup.paid', data: paid }, 'Top-up of 25 USD')
    await shop.deliver(shop.stripe.account.refund(sessionId, 1_000).event)
    const refunded = { ...paid, refunded_usd: '10' }
    await expectTold(
      ofCustomer(one),
      { type: 'topup.refunded', data: refunded },
      'A top-up was refunded or disputed',
    )

    const debit = await shop.buy(one.key, '40')
    await shop.deliver(shop.stripe.account.pay(stripeSessionOf(debit), { later: true }))
    await shop.deliver(shop.stripe.account.conclude(stripeSessionOf(debit), 'failed'))
    const failed = { session_id: debit.session_id, paid_usd: '0' }
    await expectTold(ofCustomer(one), { type: 'topup.failed', data: failed }, 'A top-up failed')
  })

  test('a provider rejects a key of the gateway, to its operators only', async () => {
    const one = await customer('1')
    vendor.next({
      script: scripted(401, { error: { message: 'Incorrect API key', code: 'invalid_api_key' } }),
    })
    const answer = await shop.node.chat(one.key, { model: 'vendor/m', messages })
    expect(answer.status).toBe(502)
    const data = { provider: 'vendor', key: 1 }
    const event = { type: 'provider.key_refused', data }
    await expectTold({ email: operators, accountId: null }, event, 'The provider "vendor" rejects one of')
    const { data: own } = await call<{ data: unknown[] }>(`${one.path}/events`)
    expect(own).toEqual([])
  })

  test('the ledger does not add up, to the operators', async () => {
    const { key } = await customer('3')
    const statement = (sign: '+' | '-') =>
      `UPDATE ledger_accounts SET balance_pico = balance_pico ${sign} 7 WHERE id = 'key:${key.id}'`
    execute(statement('+'))
    await call('/ledger/verifications', 'POST')
    const data = { object: 'ledger_verification', differences: expect.any(Number) }
    const event = { type: 'ledger.difference', data }
    await expectTold({ email: operators, accountId: null }, event, 'The ledger does not add up')
    execute(statement('-'))
  })

  /** Changes the database directly, bypassing the gateway. */
  function execute(statement: string): void {
    const database = new DatabaseSync(join(shop.node.dataDir, 'turnpike.db'))
    database.exec(statement)
    database.close()
  }
})
