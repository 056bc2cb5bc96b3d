import type { ApiKey } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { describe, expect, it, vi } from 'vitest'
import type { Storage } from '../../storage/open-storage.ts'
import { fundedKey, newRecord, uniqueText } from '../../storage/testing/fixtures.ts'
import { onEachEngine } from '../../storage/testing/test-database.ts'
import type { Hold } from './hold.ts'
import { LeaseBook } from './lease-book.ts'
import { holdOf, refusalOf } from './testing/hold-results.ts'
import { OneKeyStore } from './testing/one-key-store.ts'

interface Node {
  book: LeaseBook
  nodeId: string
}

describe('holds', () => {
  onEachEngine((opened) => {
    const bookOf = (storage: Storage, clock?: { nowMs: number }): Node => {
      const nodeId = newIdentifier('node')
      const leaseMs = 60_000
      const options =
        clock === undefined
          ? { leaseMs }
          : { leaseMs, clock: { monotonicMs: () => clock.nowMs, wallMs: () => clock.nowMs } }
      return { book: new LeaseBook(storage.leases, nodeId, options), nodeId }
    }

    /** Ends a hold as a request does: first in the book, then in the database. */
    async function charge(node: Node, key: ApiKey, hold: Hold, pico: bigint): Promise<void> {
      node.book.settle(hold, pico)
      const written = await opened().storage.requests.write(node.nodeId, [
        newRecord(key, { chargePico: pico }),
      ])
      node.book.flushed(written.chargedPico, written.leases)
    }

    const balanceOf = async (key: ApiKey): Promise<bigint> =>
      (await opened().storage.apiKeys.find(key.accountId, key.id))!.balancePico

    it('succeed exactly as often as the credit covers, with 40 at once', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 700n)
      const node = bookOf(storage)
      const results = await Promise.all(
        Array.from({ length: 40 }, () => node.book.hold(key.id, 100n, Date.now())),
      )
      const granted = results.filter((result) => 'hold' in result)
      expect(granted).toHaveLength(7)
      for (const result of results) if ('refused' in result) expect(result.refused.waitingHelps).toBe(true)
      for (const result of granted) await charge(node, key, holdOf(result), 100n)
      await node.book.giveBack(key.id)
      await storage.leases.giveBackAll(node.nodeId)
      expect(await balanceOf(key)).toBe(0n)
      expect((await storage.ledger.verify()).differences).toEqual([])
    })

    it('wait for credit that other nodes hold, and are refused at once if there is none', async () => {
      const key = await fundedKey(opened().storage, 100n)
      const node = bookOf(opened().storage)
      const hold = holdOf(await node.book.hold(key.id, 80n, Date.now()))
      expect(refusalOf(await node.book.hold(key.id, 90n, Date.now()))).toMatchObject({
        waitingHelps: true,
        creditPico: 100n,
        freePico: 20n,
      })
      expect(refusalOf(await node.book.hold(key.id, 101n, Date.now()))).toMatchObject({
        waitingHelps: false,
        creditPico: 100n,
        freePico: 20n,
      })
      await charge(node, key, hold, 30n)
      expect(refusalOf(await node.book.hold(key.id, 71n, Date.now()))).toMatchObject({
        waitingHelps: false,
        creditPico: 70n,
        freePico: 70n,
      })
      expect(await node.book.hold(key.id, 70n, Date.now())).toHaveProperty('hold')
    })

    it('exceeded by their charge take the balance below zero by exactly that much', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 100n)
      const node = bookOf(storage)
      const hold = holdOf(await node.book.hold(key.id, 100n, Date.now()))
      await charge(node, key, hold, 130n)
      expect(await balanceOf(key)).toBe(-30n)
      expect(refusalOf(await node.book.hold(key.id, 1n, Date.now()))).toMatchObject({
        waitingHelps: false,
        creditPico: -30n,
        freePico: 0n,
      })
      expect((await storage.ledger.verify()).differences).toEqual([])
    })

    it('grow while there is credit, and not after their request has ended', async () => {
      const key = await fundedKey(opened().storage, 200n)
      const { book } = bookOf(opened().storage)
      const hold = holdOf(await book.hold(key.id, 60n, Date.now()))
      expect(await book.extend(hold, 30n)).toBe(true)
      expect(hold.amountPico).toBe(90n)
      expect(await book.extend(hold, 111n)).toBe(false)
      const extending = book.extend(hold, 110n)
      book.settle(hold, 0n)
      expect(await extending).toBe(false)
      expect(await book.hold(key.id, 200n, Date.now())).toHaveProperty('hold')
    })

    it('of zero need no credit', async () => {
      const key = await fundedKey(opened().storage, 1n)
      const { book } = bookOf(opened().storage)
      const hold = book.tryHold(key.id, 0n, Date.now())
      expect(hold).toBeDefined()
      book.settle(hold!, 0n)
    })

    it('leave idle credit to other nodes', async () => {
      const key = await fundedKey(opened().storage, 1_000n)
      const [first, second] = [bookOf(opened().storage), bookOf(opened().storage)]
      const hold = holdOf(await first.book.hold(key.id, 900n, Date.now()))
      first.book.settle(hold, 0n)
      await first.book.giveBackIdle(Date.now() + 1)
      expect(await second.book.hold(key.id, 1_000n, Date.now())).toHaveProperty('hold')
    })

    it('for a rotated key’s last requests find credit in the leases of its replacement', async () => {
      const { storage } = opened()
      const old = await fundedKey(storage, 100n)
      const { book } = bookOf(storage)
      const running = holdOf(await book.hold(old.id, 10n, Date.now()))
      const rotation = { accountId: old.accountId, keyId: old.id, keyPrefix: 'p', graceMs: 60_000 }
      const rotated = await storage.apiKeys.rotate({ ...rotation, keyHash: uniqueText() }, Date.now())
      if (!('key' in rotated)) throw new Error('refused')
      await book.giveBack(old.id)
      const first = holdOf(await book.hold(rotated.key.id, 50n, Date.now()))
      book.settle(first, 0n)
      expect(await book.extend(running, 80n)).toBe(true)
      expect(await book.extend(running, 11n)).toBe(false)
      book.settle(running, 0n)
      await book.giveBack(old.id)
      expect(await balanceOf(rotated.key)).toBe(100n)
      expect((await storage.ledger.verify()).differences).toEqual([])
    })

    describe('on a node that was away longer than its leases last', () => {
      const leaseMs = 60_000

      it('are placed only after it has reloaded its leases', async () => {
        const { storage, database } = opened()
        const key = await fundedKey(storage, 1_000n)
        const clock = { nowMs: 1_000_000 }
        const away = bookOf(storage, clock)
        const running = holdOf(await away.book.hold(key.id, 100n, Date.now()))
        const ended = holdOf(await away.book.hold(key.id, 100n, Date.now()))
        away.book.settle(ended, 70n)

        clock.nowMs += leaseMs
        await database.execute(
          `UPDATE nodes SET heartbeat_at_ms = heartbeat_at_ms - ${leaseMs + 1} WHERE id = '${away.nodeId}'`,
        )
        expect(away.book.tryHold(key.id, 1n, Date.now())).toBeUndefined()
        expect(await storage.leases.giveBackExpired()).toEqual([away.nodeId])
        const other = newIdentifier('node')
        await storage.leases.take(other, key.id, 600n, 600n, Date.now())

        // 400 are left, of which its own running request and its charge need 170.
        expect(refusalOf(await away.book.hold(key.id, 231n, Date.now()))).toMatchObject({
          creditPico: 1_000n - 70n,
        })
        const more = holdOf(await away.book.hold(key.id, 230n, Date.now()))
        const written = await storage.requests.write(away.nodeId, [newRecord(key, { chargePico: 70n })])
        away.book.flushed(written.chargedPico, written.leases)
        await charge(away, key, running, 100n)
        await charge(away, key, more, 230n)
        await storage.requests.write(other, [newRecord(key, { chargePico: 600n })])
        expect(await balanceOf(key)).toBe(0n)
        expect((await storage.ledger.verify()).differences).toEqual([])
      })

      it('fail with an error while the database does not respond', async () => {
        const { storage } = opened()
        const key = await fundedKey(storage, 1_000n)
        const clock = { nowMs: 1_000_000 }
        let isAway = false
        const leases: Storage['leases'] = {
          ...storage.leases,
          heartbeat: (nodeId, termMs) =>
            isAway ? Promise.reject(new Error('away')) : storage.leases.heartbeat(nodeId, termMs),
        }
        const monotonicMs = (): number => clock.nowMs
        const book = new LeaseBook(leases, newIdentifier('node'), {
          leaseMs,
          clock: { monotonicMs, wallMs: monotonicMs },
        })
        expect(await book.hold(key.id, 10n, Date.now())).toHaveProperty('hold')
        isAway = true
        clock.nowMs += leaseMs / 2
        expect(book.tryHold(key.id, 10n, Date.now())).toBeDefined()
        clock.nowMs += leaseMs / 2
        await expect(book.hold(key.id, 10n, Date.now())).rejects.toThrow('away')
        isAway = false
        expect(await book.hold(key.id, 10n, Date.now())).toHaveProperty('hold')
      })
    })
  })
})

it('a key’s state is not dropped while a hold on it is pending', async () => {
  const store = new OneKeyStore(1, 100n)
  const books = ['first', 'second'].map((nodeId) => {
    const book = new LeaseBook(store, nodeId)
    store.join(nodeId, book)
    return book
  })
  const [first, second] = [books[0]!, books[1]!]
  const held = holdOf(await first.hold('key', 100n, 0))
  const { promise: pause, resolve: goOn } = Promise.withResolvers<void>()
  const ask = store.ask.bind(store)
  vi.spyOn(store, 'ask').mockImplementation(async (...parameters) => {
    await pause
    return ask(...parameters)
  })
  const waiting = second.hold('key', 60n, 0)
  await vi.waitFor(() => expect(second.tally.asked).toBe(1))
  await second.giveBackIdle(Date.now() + 1)
  expect(second.totals().keys).toBe(1)
  first.settle(held, 0n)
  goOn()
  expect(await waiting).toHaveProperty('hold')
})
