import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesIn, rowsAt } from '../../../packages/storage/testing/dump.ts'
import { databases } from '../../../tests/nodes/databases.ts'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { startKeyedVendor, type KeyedVendor } from './testing/keyed-vendor.ts'
import {
  addOwnKey,
  ask,
  changeOwnKey,
  newSecret,
  sharedKeys,
  startOwnKeyNode,
  type AddedKey,
} from './testing/own-key-nodes.ts'
import { SealedVendorKeys } from '../own-keys/sealed-vendor-keys.ts'

const seed = Date.now() % 2 ** 31
const [old, young] = [randomBytes(32), randomBytes(32)]
const ring = [old, young]
const [ownCost, sharedCost] = ['0.000006', '0.000144']
/** How soon every node knows of a change (docs/contract.md, 3). */
const knownEverywhereMs = 1_000

/** Events of accounts with keys of their own. */
type Step =
  | { does: 'ask'; account: number; node: number; model: number }
  | { does: 'add'; account: number; node: number; provider: number; allowsShared: boolean; isBroken: boolean }
  | {
      does: 'switch' | 'allow' | 'replace' | 'remove' | 'break'
      account: number
      node: number
      which: number
    }
  | { does: 'suspend'; account: number; node: number }
  | { does: 'wait' }

const account = fc.nat(2)
const node = fc.nat(1)
const which = fc.nat(5)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ does: fc.constant('ask' as const), account, node, model: fc.nat(2) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('add' as const),
      account,
      node,
      provider: fc.nat(1),
      allowsShared: fc.boolean(),
      isBroken: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('switch', 'allow', 'replace', 'remove', 'break'),
      account,
      node,
      which,
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('suspend' as const), account, node }) },
  { weight: 1, arbitrary: fc.constant({ does: 'wait' as const }) },
)

interface Held extends AddedKey {
  provider: string
  isActive: boolean
  allowsShared: boolean
  /** Whether the vendor rejects it. */
  isBroken: boolean
}

interface Account {
  key: TestKey
  held: Held[]
  /** Secrets that it has now or had earlier. */
  ever: Set<string>
}

const providers = ['one', 'two'] as const
const models = [
  { id: 'one/m', by: ['one'] },
  { id: 'two/m', by: ['two'] },
  { id: 'one/both', by: ['one', 'two'] },
]

/** One run: the state of the accounts, and the secrets that each ever had. */
class Run {
  readonly #nodes: readonly TestNode[]
  readonly #vendor: KeyedVendor
  readonly #accounts: Account[] = []
  /** When and on which node the last change was made. */
  #changed = { atMs: -Infinity, node: 0 }

  constructor(nodes: readonly TestNode[], vendor: KeyedVendor) {
    this.#nodes = nodes
    this.#vendor = vendor
  }

  async start(): Promise<this> {
    for (let count = 0; count < 3; count++)
      this.#accounts.push({
        key: await this.#nodes[0]!.createKey({ creditUsd: '5' }),
        held: [],
        ever: new Set(),
      })
    return this
  }

  async take(step: Step): Promise<void> {
    if (step.does === 'wait') return this.#settle()
    const at = step.node % this.#nodes.length
    const node = this.#nodes[at]!
    const one = this.#accounts[step.account]!
    if (step.does === 'ask') return this.#ask(node, at, one, models[step.model]!)
    this.#changed = { atMs: Infinity, node: at }
    if (step.does === 'suspend') {
      for (const status of ['suspended', 'active'])
        await node.admin(`/accounts/${one.key.accountId}`, { method: 'PATCH', body: { status } })
    } else if (step.does === 'add') await this.#add(node, one, step)
    else if (one.held.length > 0)
      await this.#change(node, one, one.held[step.which % one.held.length]!, step.does)
    this.#changed = { atMs: performance.now(), node: at }
  }

  async #add(
    node: TestNode,
    { key, held, ever }: Account,
    { provider, allowsShared, isBroken }: { provider: number; allowsShared: boolean; isBroken: boolean },
  ): Promise<void> {
    const name = providers[provider]!
    const added = await addOwnKey(node, key, { ring, provider: name, allowsShared })
    held.push({ ...added, provider: name, isActive: true, allowsShared, isBroken })
    if (isBroken) this.#break(added)
    ever.add(added.secret)
  }

  #break({ secret }: AddedKey): void {
    this.#vendor.refusals.set(secret, { status: 401, message: 'no: %s' })
  }

  async #change(
    node: TestNode,
    { held, ever }: Account,
    one: Held,
    what: 'switch' | 'allow' | 'replace' | 'remove' | 'break',
  ): Promise<void> {
    if (what === 'break') {
      one.isBroken = true
      this.#break(one)
    } else if (what === 'switch') {
      one.isActive = !one.isActive
      await changeOwnKey(node, one, { status: one.isActive ? 'active' : 'disabled' })
    } else if (what === 'allow') {
      one.allowsShared = !one.allowsShared
      await changeOwnKey(node, one, { allow_fallback_to_shared: one.allowsShared })
    } else if (what === 'remove') {
      held.splice(held.indexOf(one), 1)
      await node.admin(`/accounts/${one.accountId}/vendor-keys/${one.id}`, { method: 'DELETE' })
    } else {
      one.secret = newSecret()
      one.isBroken = false
      ever.add(one.secret)
      const sealed = new SealedVendorKeys(ring).seal(one.secret, one)
      await node.storage.vendorKeys.replaceSecret(
        one.accountId,
        one.id,
        { ...sealed, last4: 'last' },
        Date.now(),
      )
      await changeOwnKey(node, one, {})
    }
  }

  async #ask(
    node: TestNode,
    at: number,
    { key, held, ever }: Account,
    { id, by }: (typeof models)[number],
  ): Promise<void> {
    const from = this.#vendor.calls.length
    const answer = await ask(node, key, id)
    const calls = this.#vendor.calls.slice(from)
    const shared: string[] = Object.values(sharedKeys)
    for (const call of calls) {
      expect(call.asker).toBe(key.accountId)
      expect(shared.includes(call.key) || ever.has(call.key)).toBe(true)
    }
    for (const secret of ever) expect(answer.text).not.toContain(secret)
    if (answer.status === 200) expect(answer.body.usage?.cost_usd).toBe(answer.isByok ? ownCost : sharedCost)
    // Other nodes learn of a change a moment later.
    if (at !== this.#changed.node && performance.now() - this.#changed.atMs < 2 * knownEverywhereMs) return
    const serving = held.filter(({ provider, isActive }) => isActive && by.includes(provider))
    const mayShare = serving.every(({ allowsShared }) => allowsShared)
    const current = new Set(serving.map(({ secret }) => secret))
    for (const call of calls) {
      if (shared.includes(call.key)) expect(mayShare, 'the operator’s key was asked').toBe(true)
      else expect(current.has(call.key), 'a key was asked that is not there any more').toBe(true)
    }
    const isServed = serving.some(({ isBroken }) => !isBroken)
    expect(answer.status).toBe(isServed || mayShare ? 200 : 502)
    if (answer.status === 200) expect(answer.isByok).toBe(isServed)
  }

  #settle(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#nodes.length > 1 ? knownEverywhereMs : 0))
  }

  get secrets(): string[] {
    return this.#accounts.flatMap(({ ever }) => [...ever])
  }
}

describe.each(databases())('own keys of several accounts on $engine', ({ engine, create }) => {
  let vendor: KeyedVendor
  let url: string | undefined
  let drop: () => Promise<void>
  const dataDir = mkdtempSync(join(tmpdir(), 'own-keys-'))
  const where = () => (url === undefined ? { dataDir } : { databaseUrl: url })
  const start = (keys: readonly Buffer[]): Promise<TestNode> =>
    startOwnKeyNode({ vendor, ring: keys, ...where() })

  beforeAll(async () => {
    vendor = await startKeyedVendor()
    const made = await create()
    url = made.url
    drop = made.drop
  })
  afterAll(async () => {
    await vendor.close()
    await drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** Everything that an operator, or a thief, finds in the database. */
  const dump = async (): Promise<string> => (url === undefined ? filesIn(dataDir) : rowsAt(url))

  function expectNothingOf(secrets: readonly string[], text: string): void {
    expect(text.length).toBeGreaterThan(1_000)
    for (const secret of secrets) {
      // The beginning is the same for every key.
      const part = secret.slice(10, 30)
      for (const form of [
        part,
        Buffer.from(secret).toString('base64').slice(0, -4),
        Buffer.from(part).toString('hex'),
      ])
        expect(text.includes(form)).toBe(false)
    }
  }

  it(`are used for no other account, whatever happens, and appear in no dump (seed ${seed})`, async () => {
    const nodes = [await start(ring), ...(engine === 'SQLite' ? [] : [await start(ring)])]
    const secrets: string[] = []
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
          const run = await new Run(nodes, vendor).start()
          for (const one of steps) await run.take(one)
          secrets.push(...run.secrets)
        }),
        { seed, numRuns: 12, endOnFailure: true },
      )
      for (const one of nodes) await one.admin('/accounts')
      expect(await nodes[0]!.admin('/ledger/verify')).toMatchObject({ ok: true })
      for (const one of nodes) expectNothingOf(secrets, JSON.stringify(one.log) + ' '.repeat(1_001))
    } finally {
      for (const one of nodes) await one.stop()
    }
    expectNothingOf(secrets, await dump())
  }, 300_000)

  it('all still work during and after a change of the sealing key, under load', async () => {
    let first: TestNode | undefined = await start([old, young])
    const held: { key: TestKey; own: AddedKey }[] = []
    for (let count = 0; count < 40; count++) {
      const key = await first.createKey({ creditUsd: '1' })
      held.push({ key, own: await addOwnKey(first, key, { ring: [old, young], allowsShared: false }) })
    }
    const names = [old, young].map((one) => new SealedVendorKeys([one]).keyName)
    const load = { isOver: false, count: 0 }
    const askAll = async (nodes: () => TestNode[]): Promise<void> => {
      while (!load.isOver)
        for (const { key } of held) {
          const all = nodes()
          const { status, isByok, text } = await ask(all[load.count++ % all.length]!, key)
          expect([status, isByok], text).toEqual([200, true])
        }
    }
    // The embedded database has only one node, so the load continues once that node has another key ring.
    if (url === undefined) {
      await first.stop()
      first = undefined
    }
    const second = await start([young, old])
    const loading = askAll(() => [second, ...(first === undefined ? [] : [first])])
    try {
      await expect
        .poll(() => second.storage.vendorKeys.countBySealingKey(), { timeout: 60_000, interval: 100 })
        .toEqual(new Map([[names[1], expect.any(Number)]]))
    } finally {
      load.isOver = true
      await loading
      await first?.stop()
      await second.stop()
    }
    const last = await start([young])
    try {
      for (const { key, own } of held) {
        const from = vendor.calls.length
        expect(await ask(last, key)).toMatchObject({ status: 200, isByok: true })
        expect(vendor.calls.slice(from).map((call) => call.key)).toEqual([own.secret])
      }
    } finally {
      await last.stop()
    }
  }, 180_000)

  it('are not replaced by credit if the node cannot open them', async () => {
    const before = await start([old])
    const key = await before.createKey({ creditUsd: '1' })
    await addOwnKey(before, key, { ring: [old], allowsShared: true })
    await before.stop()
    const other = await start([young])
    try {
      const from = vendor.calls.length
      const { status, body } = await ask(other, key)
      expect([status, body.error?.message]).toEqual([503, expect.stringContaining('cannot decrypt')])
      expect(vendor.calls.slice(from)).toEqual([])
      expect(JSON.stringify(other.log)).toContain('byok.encryption_keys has no key')
    } finally {
      await other.stop()
    }
  }, 60_000)
})
