import type { ApiKey } from '@turnpike/identity'
import { newIdentifier, type SpendLimitPeriod } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { fundedKey, newRecord, uniqueText } from '../../storage/testing/fixtures.ts'
import { onEachEngine } from '../../storage/testing/test-database.ts'
import type { Hold } from './hold.ts'
import { LeaseBook } from './lease-book.ts'
import { holdOf, refusalOf } from './testing/hold-results.ts'

const dayMs = 86_400_000
const midnightMs = Date.UTC(2026, 2, 15)
/** Moments before and after midnight. */
const [oldMs, newMs] = [midnightMs - 10, midnightMs + 10]
const creditPico = 100_000n

describe('holds on a key with a spend limit', () => {
  onEachEngine((opened) => {
    const bookOf = (): { book: LeaseBook; nodeId: string } => {
      const nodeId = newIdentifier('node')
      return { book: new LeaseBook(opened().storage.leases, nodeId), nodeId }
    }

    async function limitedKey(spendLimitPico: bigint, spendLimitPeriod: SpendLimitPeriod): Promise<ApiKey> {
      const { storage } = opened()
      const { accountId, id } = await fundedKey(storage, creditPico)
      return (await storage.apiKeys.update(accountId, id, { spendLimitPico, spendLimitPeriod }))!
    }

    /** Ends a hold as a request does: first in the book, then in the database. */
    async function charge(
      node: ReturnType<typeof bookOf>,
      hold: Hold,
      key: ApiKey,
      pico: bigint,
    ): Promise<void> {
      node.book.settle(hold, pico)
      const { startedAtMs } = hold
      const record = newRecord(key, { keyId: hold.keyId, chargePico: pico, startedAtMs })
      const written = await opened().storage.requests.write(node.nodeId, [record])
      node.book.flushed(written.chargedPico, written.leases)
    }

    const spent = async (key: ApiKey, atMs: number): Promise<bigint | undefined> =>
      (await opened().storage.apiKeys.readSpend(key.accountId, [key], atMs)).get(key.id)

    it('are refused beyond it: with 402 if it is spent, with 429 if running requests hold it', async () => {
      const key = await limitedKey(100n, 'day')
      const node = bookOf()
      const hold = holdOf(await node.book.hold(key.id, 80n, oldMs))
      const limit = { limitPico: 100n, leftPico: 100n, period: { kind: 'day', endsAtMs: midnightMs } }
      const refused = refusalOf(await node.book.hold(key.id, 30n, oldMs))
      expect(refused).toMatchObject({ waitingHelps: true, creditPico, limit })
      expect(refusalOf(await node.book.hold(key.id, 101n, oldMs)).waitingHelps).toBe(false)
      await charge(node, hold, key, 75n)
      expect(refusalOf(await node.book.hold(key.id, 26n, oldMs))).toMatchObject({
        waitingHelps: false,
        limit: { ...limit, leftPico: 25n },
      })
      expect(await node.book.hold(key.id, 25n, oldMs)).toHaveProperty('hold')
    })

    it('succeed exactly as often as the limit covers, with 40 at once', async () => {
      const key = await limitedKey(700n, 'week')
      const [left, right] = [bookOf(), bookOf()]
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, index) => (index % 2 ? left : right).book.hold(key.id, 100n, oldMs)),
      )
      // Without notices, idle credit in the other node's lease is not found: never more than is covered.
      expect(results.filter((result) => 'hold' in result).length).toBeLessThanOrEqual(7)
      const alone = await limitedKey(700n, 'week')
      const more = await Promise.all(Array.from({ length: 40 }, () => left.book.hold(alone.id, 100n, oldMs)))
      expect(more.filter((result) => 'hold' in result)).toHaveLength(7)
    })

    it('start again with the next period, and spend neither period twice', async () => {
      const key = await limitedKey(100n, 'day')
      const node = bookOf()
      const old = holdOf(await node.book.hold(key.id, 60n, oldMs))
      const idle = holdOf(await node.book.hold(key.id, 40n, oldMs))
      node.book.settle(idle, 0n)
      // 60 are held for the old day and 40 are idle: those may go to either day, but only once.
      const first = holdOf(await node.book.hold(key.id, 40n, newMs))
      expect(refusalOf(await node.book.hold(key.id, 1n, oldMs)).limit?.period.endsAtMs).toBe(midnightMs)
      expect(refusalOf(await node.book.hold(key.id, 61n, newMs)).waitingHelps).toBe(true)
      expect(refusalOf(await node.book.hold(key.id, 101n, newMs)).waitingHelps).toBe(false)
      await charge(node, old, key, 60n)
      const second = holdOf(await node.book.hold(key.id, 60n, newMs))
      await charge(node, first, key, 40n)
      await charge(node, second, key, 60n)
      expect(refusalOf(await node.book.hold(key.id, 1n, newMs)).waitingHelps).toBe(false)
      expect([await spent(key, oldMs), await spent(key, newMs)]).toEqual([60n, 100n])
      expect(await node.book.hold(key.id, 100n, newMs + dayMs)).toHaveProperty('hold')
    })

    it('of requests from before midnight use no more than their day had left', async () => {
      const key = await limitedKey(100n, 'day')
      const node = bookOf()
      const running = holdOf(await node.book.hold(key.id, 50n, oldMs))
      // A request of the new day makes the lease grow.
      const fresh = holdOf(await node.book.hold(key.id, 30n, newMs))
      await charge(node, fresh, key, 0n)
      expect(await node.book.extend(running, 50n)).toBe(true)
      expect(await node.book.extend(running, 1n)).toBe(false)
      await charge(node, running, key, 100n)
      expect(await spent(key, oldMs)).toBe(100n)
      const next = holdOf(await node.book.hold(key.id, 50n, newMs))
      await charge(node, next, key, 10n)
      // 40 are idle in the lease: they belong to the new day.
      expect(refusalOf(await node.book.hold(key.id, 1n, oldMs)).waitingHelps).toBe(false)
      expect(await node.book.hold(key.id, 90n, newMs)).toHaveProperty('hold')
    })

    it('of requests from before midnight share what was left, even if more is leased later', async () => {
      const key = await limitedKey(100n, 'day')
      const node = bookOf()
      const old = holdOf(await node.book.hold(key.id, 80n, oldMs))
      await charge(node, old, key, 80n)
      // The new day finds 10 idle in the lease. 50 more are leased for it, of which 40 are idle then.
      const fresh = holdOf(await node.book.hold(key.id, 20n, newMs))
      expect(node.book.totals().availablePico).toBe(40n)
      const late = holdOf(await node.book.hold(key.id, 10n, oldMs))
      // 90 of the old day are used. The last 10 may still be charged for holds of the new day.
      expect(node.book.tryHold(key.id, 10n, oldMs)).toBeUndefined()
      expect(refusalOf(await node.book.hold(key.id, 10n, oldMs)).waitingHelps).toBe(true)
      await charge(node, fresh, key, 0n)
      const last = holdOf(await node.book.hold(key.id, 10n, oldMs))
      expect(refusalOf(await node.book.hold(key.id, 1n, oldMs)).waitingHelps).toBe(true)
      await charge(node, late, key, 10n)
      await charge(node, last, key, 10n)
      expect(await spent(key, oldMs)).toBe(100n)
      expect(refusalOf(await node.book.hold(key.id, 1n, oldMs)).waitingHelps).toBe(false)
      expect(await node.book.hold(key.id, 100n, newMs)).toHaveProperty('hold')
    })

    it('respect a lowered limit, including credit released later', async () => {
      const { storage } = opened()
      const key = await limitedKey(1_000n, 'day')
      const node = bookOf()
      const running = holdOf(await node.book.hold(key.id, 500n, oldMs))
      await storage.apiKeys.update(key.accountId, key.id, { spendLimitPico: 10n })
      await node.book.giveBackEverywhere(key.id)
      expect(refusalOf(await node.book.hold(key.id, 1n, oldMs)).waitingHelps).toBe(true)
      // 495 are released: they were within the earlier limit.
      await charge(node, running, key, 5n)
      expect(refusalOf(await node.book.hold(key.id, 6n, oldMs)).limit).toMatchObject({ leftPico: 5n })
      expect(await node.book.hold(key.id, 5n, oldMs)).toHaveProperty('hold')
    })

    it('respect a limit that is added later, and are unlimited once it is removed', async () => {
      const { storage } = opened()
      const { accountId, id } = await fundedKey(storage, creditPico)
      const node = bookOf()
      const running = holdOf(await node.book.hold(id, 500n, oldMs))
      const key = (await storage.apiKeys.update(accountId, id, {
        spendLimitPico: 520n,
        spendLimitPeriod: 'month',
      }))!
      await node.book.giveBackEverywhere(id)
      expect(await node.book.hold(id, 20n, oldMs)).toHaveProperty('hold')
      await charge(node, running, key, 500n)
      expect(refusalOf(await node.book.hold(id, 1n, oldMs)).waitingHelps).toBe(true)
      await storage.apiKeys.update(accountId, id, { spendLimitPico: null, spendLimitPeriod: null })
      await node.book.giveBackEverywhere(id)
      expect(await node.book.hold(id, 5_000n, oldMs)).toHaveProperty('hold')
    })

    it('of a rotated key share one limit with its replacement', async () => {
      const { storage } = opened()
      const key = await limitedKey(100n, 'day')
      const node = bookOf()
      const running = holdOf(await node.book.hold(key.id, 40n, oldMs))
      const rotation = { accountId: key.accountId, keyId: key.id, keyPrefix: 'p', graceMs: 60_000 }
      const result = await storage.apiKeys.rotate({ ...rotation, keyHash: uniqueText() }, Date.now())
      if (!('key' in result)) throw new Error('refused')
      await node.book.giveBackEverywhere(key.id)
      const next = result.key
      expect(refusalOf(await node.book.hold(next.id, 61n, oldMs)).waitingHelps).toBe(true)
      expect(await node.book.extend(running, 10n)).toBe(true)
      await charge(node, running, key, 30n)
      // What the old key's last request did not need is idle in its lease until it is recalled.
      const last = holdOf(await node.book.hold(next.id, 70n, oldMs))
      await charge(node, last, next, 70n)
      expect(await spent(next, oldMs)).toBe(100n)
      expect(refusalOf(await node.book.hold(next.id, 1n, oldMs)).waitingHelps).toBe(false)
      expect((await storage.ledger.verify()).differences).toEqual([])
    })
  })
})
