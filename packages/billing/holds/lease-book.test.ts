import type { ApiKey } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../../storage/open-storage.ts'
import { fundedKey, newRecord } from '../../storage/testing/fixtures.ts'
import { onEachEngine } from '../../storage/testing/test-database.ts'
import { LeaseBook, type Hold, type HoldRefusal, type HoldResult } from './lease-book.ts'

describe('holds', () => {
  onEachEngine((opened) => {
    const bookOf = (storage: Storage): { book: LeaseBook; nodeId: string } => {
      const nodeId = newIdentifier('node')
      return { book: new LeaseBook(storage.leases, nodeId), nodeId }
    }

    /** Ends a hold as a request does: the book first, then the database. */
    async function charge(
      node: ReturnType<typeof bookOf>,
      key: ApiKey,
      hold: Hold,
      pico: bigint,
    ): Promise<void> {
      node.book.settle(hold, pico)
      const { storage } = opened()
      const written = await storage.requests.write(node.nodeId, [newRecord(key, { chargePico: pico })])
      node.book.flushed(key.id, pico)
      for (const [keyId, uncovered] of written.uncoveredPico) node.book.uncovered(keyId, uncovered)
    }

    const balanceOf = async (key: ApiKey): Promise<bigint> =>
      (await opened().storage.apiKeys.find(key.accountId, key.id))!.balancePico

    it.each([1, 2])(
      'of 40 at once, exactly those that the credit covers succeed, over %i nodes',
      async (nodes) => {
        const { storage } = opened()
        const key = await fundedKey(storage, 700n)
        const books = Array.from({ length: nodes }, () => bookOf(storage))
        const asked = Array.from({ length: 40 }, (_, index) => {
          const node = books[index % nodes]!
          return node.book.hold(key.id, 100n).then((result) => ({ node, result }))
        })
        const results = await Promise.all(asked)
        const granted = results.filter(({ result }) => 'hold' in result)
        if (nodes === 1) expect(granted).toHaveLength(7)
        else expect(granted.length).toBeLessThanOrEqual(7)
        for (const { result } of results)
          if ('refused' in result) expect(result.refused.waitingHelps).toBe(true)
        for (const { node, result } of granted) await charge(node, key, holdOf(result), 100n)
        for (const { book, nodeId } of books) {
          await book.giveBack(key.id)
          await storage.leases.giveBackAll(nodeId)
        }
        expect(await balanceOf(key)).toBe(700n - 100n * BigInt(granted.length))
        expect((await storage.ledger.verify()).differences).toEqual([])
      },
    )

    it('wait for credit that others hold, and do not where there is none', async () => {
      const key = await fundedKey(opened().storage, 100n)
      const node = bookOf(opened().storage)
      const hold = holdOf(await node.book.hold(key.id, 80n))
      expect(refusalOf(await node.book.hold(key.id, 90n))).toEqual({ waitingHelps: true, creditPico: 100n })
      expect(refusalOf(await node.book.hold(key.id, 101n))).toEqual({ waitingHelps: false, creditPico: 100n })
      await charge(node, key, hold, 30n)
      expect(refusalOf(await node.book.hold(key.id, 71n))).toEqual({ waitingHelps: false, creditPico: 70n })
      expect(await node.book.hold(key.id, 70n)).toHaveProperty('hold')
    })

    it('that a charge exceeds take the balance below zero by so much, and no further', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 100n)
      const node = bookOf(storage)
      const hold = holdOf(await node.book.hold(key.id, 100n))
      await charge(node, key, hold, 130n)
      expect(await balanceOf(key)).toBe(-30n)
      expect(refusalOf(await node.book.hold(key.id, 1n))).toEqual({ waitingHelps: false, creditPico: -30n })
      expect((await storage.ledger.verify()).differences).toEqual([])
    })

    it('grow while there is credit', async () => {
      const key = await fundedKey(opened().storage, 100n)
      const { book } = bookOf(opened().storage)
      const hold = holdOf(await book.hold(key.id, 60n))
      expect(await book.extend(hold, 30n)).toBe(true)
      expect(hold.amountPico).toBe(90n)
      expect(await book.extend(hold, 11n)).toBe(false)
      expect(hold.amountPico).toBe(90n)
    })

    it('of nothing need no credit', async () => {
      const key = await fundedKey(opened().storage, 1n)
      const { book } = bookOf(opened().storage)
      const hold = book.tryHold(key.id, 0n)
      expect(hold).toBeDefined()
      book.settle(hold!, 0n)
    })

    it('leave what is idle to others', async () => {
      const key = await fundedKey(opened().storage, 1_000n)
      const [first, second] = [bookOf(opened().storage), bookOf(opened().storage)]
      const hold = holdOf(await first.book.hold(key.id, 400n))
      expect(await second.book.hold(key.id, 600n)).toHaveProperty('refused')
      first.book.settle(hold, 0n)
      await first.book.giveBackIdle(Date.now() + 1)
      expect(await second.book.hold(key.id, 1_000n)).toHaveProperty('hold')
    })
  })
})

function holdOf(result: HoldResult): Hold {
  if ('refused' in result) throw new Error(`refused: ${result.refused.creditPico}`)
  return result.hold
}

function refusalOf(result: HoldResult): HoldRefusal {
  if ('hold' in result) throw new Error('granted')
  return result.refused
}
