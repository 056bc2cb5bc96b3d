import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { expectTrueBooks } from './testing/books.ts'
import { startKeyedVendor, type KeyedVendor } from './testing/keyed-vendor.ts'
import {
  addOwnKey,
  ask,
  changeOwnKey,
  sharedKeys,
  startOwnKeyNode,
  type AddedKey,
} from './testing/own-key-nodes.ts'

const ring = [randomBytes(32)]
/** Of 0.00012 USD: the operator's fee of 5 %, and the charge with the markup of 1.2. */
const [fee, shared] = ['0.000006', '0.000144']

describe.each(databases())('own keys on $engine', ({ create }) => {
  let vendor: KeyedVendor
  let node: TestNode
  let drop: () => Promise<void>
  let key: TestKey

  beforeAll(async () => {
    vendor = await startKeyedVendor()
    const made = await create()
    drop = made.drop
    node = await startOwnKeyNode({ vendor, ring, ...(made.url && { databaseUrl: made.url }) })
  })
  afterAll(async () => {
    await node.stop()
    await vendor.close()
    await drop()
  })
  beforeEach(async () => {
    vendor.refusals.clear()
    vendor.calls.length = 0
    key = await node.createKey({ creditUsd: '1' })
  })

  const keysSeen = (): string[] => vendor.calls.map((call) => call.key)
  const add = (more: Partial<Parameters<typeof addOwnKey>[2]> = {}): Promise<AddedKey> =>
    addOwnKey(node, key, { ring, ...more })
  const refuse = ({ secret }: AddedKey, status: number): void =>
    void vendor.refusals.set(secret, { status, message: 'Incorrect API key provided: %s' })

  interface Row {
    is_byok: boolean
    own_cost_usd: string | null
    cost_usd: string
    vendor_cost_usd: string | null
    baseline_usd: string | null
    markup: string
    attempts: { provider: string; result: string; is_byok?: boolean }[]
  }
  async function lastRow(): Promise<Row> {
    const of = `/accounts/${key.accountId}/usage/requests`
    const { data } = await node.admin<{ data: { id: string }[] }>(of)
    return node.admin<Row>(`${of}/${data[0]!.id}`)
  }
  it('are used first, for the fee on the list price, and the row says so', async () => {
    const own = await add()
    const answer = await ask(node, key)
    expect([answer.status, answer.isByok, answer.body.usage?.cost_usd]).toEqual([200, true, fee])
    expect(keysSeen()).toEqual([own.secret])
    expect(await lastRow()).toMatchObject({
      is_byok: true,
      own_cost_usd: '0.00012',
      cost_usd: fee,
      vendor_cost_usd: '0',
      markup: '0.05',
      attempts: [{ provider: 'one', result: 'ok', is_byok: true }],
    })
    await expectTrueBooks([node])
  })

  it('are not charged if a request falls back to the operator’s key, which is charged once', async () => {
    const [first, second] = [await add(), await add()]
    refuse(first, 401)
    refuse(second, 500)
    const answer = await ask(node, key)
    expect([answer.status, answer.isByok, answer.body.usage?.cost_usd]).toEqual([200, false, shared])
    expect(keysSeen()).toEqual([first.secret, second.secret, sharedKeys.one])
    expect(await lastRow()).toMatchObject({
      is_byok: false,
      own_cost_usd: null,
      cost_usd: shared,
      vendor_cost_usd: '0.00012',
      markup: '1.2',
      attempts: [{ is_byok: true }, { is_byok: true }, { result: 'ok' }],
    })
    await expectTrueBooks([node])
  })

  it('are never replaced by the operator’s key if they forbid it, whatever fails', async () => {
    const own = await add({ allowsShared: false })
    for (const [status, model] of [
      [401, 'one/m'],
      [429, 'one/m'],
      [500, 'one/both'],
      [404, 'one/both'],
    ] as const) {
      refuse(own, status)
      const answer = await ask(node, key, model)
      expect(answer.status, String(status)).toBeGreaterThanOrEqual(400)
      expect(answer.text).not.toContain(own.secret)
      expect(await lastRow()).toMatchObject({ cost_usd: '0' })
    }
    expect(new Set(keysSeen())).toEqual(new Set([own.secret]))
    await expectTrueBooks([node])
  })

  it('that are rejected are named to their owner, and shown to nobody else', async () => {
    const own = await add({ allowsShared: false, name: 'prod' })
    refuse(own, 401)
    const answer = await ask(node, key)
    expect([answer.status, answer.body.error?.type]).toEqual([502, 'upstream_error'])
    expect(answer.body.error?.message).toContain(`"prod" (…${own.secret.slice(-4)})`)
    for (const secret of [own.secret, own.secret.slice(7, 30)]) {
      expect(answer.text).not.toContain(secret)
      expect(JSON.stringify(node.log)).not.toContain(secret)
    }
    await expect
      .poll(async () => (await changeOwnKey(node, own, {})).refused_at, { timeout: 20_000, interval: 500 })
      .not.toBeNull()
    // Neither the operator's key nor those of other accounts are affected.
    const other = await node.createKey({ creditUsd: '1' })
    expect((await ask(node, other)).status).toBe(200)
    expect(keysSeen().at(-1)).toBe(sharedKeys.one)
  }, 60_000)

  it('are used in their order, and not if they are turned off or removed', async () => {
    const [first, second] = [await add(), await add()]
    await changeOwnKey(node, first, { position: 99 })
    await ask(node, key)
    await changeOwnKey(node, second, { status: 'disabled' })
    await ask(node, key)
    const of = `/accounts/${key.accountId}/vendor-keys/${first.id}`
    await node.admin(of, { method: 'DELETE' })
    await ask(node, key)
    expect(keysSeen()).toEqual([second.secret, first.secret, sharedKeys.one])
  })

  it('serve streams at the same price', async () => {
    const own = await add()
    vendor.refusals.clear()
    const response = await node.chat(key, {
      model: 'one/m',
      stream: true,
      max_completion_tokens: 20,
      messages: [{ role: 'user', content: key.accountId }],
    })
    expect(response.headers.get('x-turnpike-byok') ?? 'none').toMatch(/^(true|none)$/)
    await response.text()
    expect(keysSeen()[0]).toBe(own.secret)
    await expectTrueBooks([node])
  })

  it('of one account are never used for another', async () => {
    const own = await add()
    const other = await node.createKey({ creditUsd: '1' })
    await Promise.all(Array.from({ length: 20 }, (_, number) => ask(node, number % 2 === 0 ? key : other)))
    for (const { asker, key: used } of vendor.calls)
      expect(used).toBe(asker === key.accountId ? own.secret : sharedKeys.one)
  })

  it('serve what the credit does not cover', async () => {
    const poor = await node.createKey({ creditUsd: '0.00002' })
    const own = await addOwnKey(node, poor, { ring })
    expect((await ask(node, poor, 'one/m', { max_completion_tokens: 40 })).status).toBe(200)
    expect(keysSeen()).toEqual([own.secret])
    refuse(own, 500)
    // No credit is left for the operator's key, so it is not used.
    expect((await ask(node, poor)).status).toBeGreaterThanOrEqual(400)
    expect(keysSeen()).not.toContain(sharedKeys.one)
    await expectTrueBooks([node])
  })

  it('need no credit without a fee, even for a model without a price', async () => {
    const free = await startOwnKeyNode({
      vendor,
      ring,
      feePercent: '0',
      more: {
        models: {
          'one/m': { pricing: { prompt: '0.000001', completion: '0.000002' } },
          'one/unpriced': { context_length: 8_000 },
        },
      },
    })
    try {
      const poor = await free.createKey({ creditUsd: '0' })
      await addOwnKey(free, poor, { ring, allowsShared: false })
      for (const model of ['one/m', 'one/unpriced']) {
        const answer = await ask(free, poor, model)
        expect([answer.status, answer.isByok, answer.body.usage?.cost_usd], answer.text).toEqual([
          200,
          true,
          '0',
        ])
      }
      const large = { messages: [{ role: 'user', content: 'x'.repeat(200_000) }] }
      expect((await ask(free, poor, 'one/m', large)).status).toBe(200)
      expect(await free.admin('/ledger/verify')).toMatchObject({ ok: true })
    } finally {
      await free.stop()
    }
  })
})
