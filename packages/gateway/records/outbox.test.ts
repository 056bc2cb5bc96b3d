import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SpendBook } from '@turnpike/billing'
import type { ApiKey } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { FileOutboxLog, openStorage, type Storage } from '@turnpike/storage'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { realDisk } from '../../storage/outbox/disk.ts'
import { fundedKey, newRecord } from '../../storage/testing/fixtures.ts'
import { randomFrom, randomSeed } from '../../storage/testing/random.ts'
import { Outbox, type OutboxLog } from './outbox.ts'
import type { RequestStore } from './stores.ts'

describe('the outbox', () => {
  const nodeId = newIdentifier('node')
  let directory: string
  let storage: Storage
  let rows: FileOutboxLog
  let key: ApiKey
  let logged: string[]

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'turnpike-outbox-'))
    storage = await openStorage({ engine: 'sqlite', path: join(directory, 'turnpike.db') })
    rows = new FileOutboxLog(join(directory, 'outbox'), 'process', () => logged.push('damaged'))
    key = await fundedKey(storage, 1_000_000n)
    logged = []
  })
  afterEach(async () => {
    rows.close()
    await storage.close()
    rmSync(directory, { recursive: true, force: true })
  })

  function outboxOn(store: RequestStore, on: OutboxLog = rows): Outbox {
    const log = {
      warn: (_fields: object, message: string) => void logged.push(message),
      error: (_fields: object, message: string) => void logged.push(message),
    }
    return new Outbox(on, store, new SpendBook(storage, nodeId), nodeId, log)
  }

  /** A database that is unavailable for its first calls. */
  function awayFor(calls: number): RequestStore {
    let left = calls
    return {
      ...storage.requests,
      writeLines: (node, lines) =>
        left-- > 0 ? Promise.reject(new Error('away')) : storage.requests.writeLines(node, lines),
    }
  }

  const spent = async (): Promise<bigint> => {
    const totals = await storage.usage.summary({
      accountId: key.accountId,
      fromMs: 0,
      toMs: Date.now() + 1e6,
    })
    return totals.totalCostPico
  }

  it('keeps a record before it resolves, and moves it to the database', async () => {
    const outbox = outboxOn(storage.requests)
    await outbox.append(newRecord(key, { chargePico: 7n }))
    expect(rows.rows).toBe(1)
    await outbox.flush()
    expect([rows.rows, outbox.rows, await spent()]).toEqual([0, 0, 7n])
  })

  it('writes the records of one turn in one commit', async () => {
    const append = vi.spyOn(rows, 'append')
    const outbox = outboxOn(storage.requests)
    await Promise.all(Array.from({ length: 50 }, () => outbox.append(newRecord(key, { chargePico: 1n }))))
    expect(append).toHaveBeenCalledTimes(1)
    await outbox.flush()
    expect(await spent()).toBe(50n)
  })

  it('moves rows by itself, and retries until the database takes them', async () => {
    const outbox = outboxOn(awayFor(2))
    await outbox.append(newRecord(key, { chargePico: 3n }))
    await vi.waitFor(() => expect(outbox.rows).toBe(0), { timeout: 20_000 })
    expect(await spent()).toBe(3n)
    expect(logged).toEqual(
      Array.from(
        { length: 2 },
        () => 'outbox: rows could not be written to the database; they are tried again',
      ),
    )
  })

  it('finds what an earlier run left after a restart, and charges nothing twice', async () => {
    const outbox = outboxOn(awayFor(1_000))
    const records = Array.from({ length: 600 }, () => newRecord(key, { chargePico: 1n }))
    await Promise.all(records.map((record) => outbox.append(record)))
    await expect(outbox.close()).rejects.toThrow('away')
    // Half of them had reached the database before the process died; the outbox did not know.
    await storage.requests.write(nodeId, records.slice(0, 300))
    const next = outboxOn(storage.requests)
    expect(next.rows).toBe(600)
    await next.flush()
    expect([rows.rows, await spent()]).toEqual([0, 600n])
    expect((await storage.ledger.verify()).differences).toEqual([])
  })

  it('sets aside a row that the database rejects for good, and moves the others', async () => {
    const outbox = outboxOn(storage.requests)
    const bad = newRecord({ id: newIdentifier('key'), accountId: newIdentifier('acct') }, { chargePico: 5n })
    await Promise.all([bad, newRecord(key, { chargePico: 2n })].map((record) => outbox.append(record)))
    await outbox.flush()
    expect([rows.rows, await spent()]).toEqual([0, 2n])
    expect(logged).toEqual(['outbox: the database rejected a row; it was set aside'])
    expect(rows.setAsideRows()).toMatchObject([{ payload: expect.stringContaining(bad.id) as string }])
  })

  it('refuses a record that cannot be written as a row, and keeps the others of the same turn', async () => {
    const outbox = outboxOn(storage.requests)
    const bad = newRecord(key, { chargePico: 5n })
    Object.defineProperty(bad, 'id', {
      get() {
        throw new Error('broken')
      },
    })
    const before = outbox.append(newRecord(key, { chargePico: 2n }))
    expect(() => outbox.append(bad)).toThrow('broken')
    await Promise.all([before, outbox.append(newRecord(key, { chargePico: 1n }))])
    await outbox.flush()
    expect([rows.rows, await spent(), outbox.tally.failedWrites]).toEqual([0, 3n, 1])
  })

  it('rejects requests while the disk takes no rows, since they could not be charged', async () => {
    let full = true
    const append = rows.append.bind(rows)
    vi.spyOn(rows, 'append').mockImplementation((payloads) => {
      if (full) throw new Error('no space left on device')
      append(payloads)
    })
    const outbox = outboxOn(storage.requests)
    outbox.requireRoom()
    await expect(outbox.append(newRecord(key))).rejects.toThrow('no space')
    expect(() => outbox.requireRoom()).toThrow(
      expect.objectContaining({ status: 503, retryAfterSeconds: 5 }) as Error,
    )
    full = false
    await vi.waitFor(() => outbox.requireRoom(), { timeout: 5_000 })
    await outbox.append(newRecord(key, { chargePico: 4n }))
    await outbox.flush()
    expect(await spent()).toBe(4n)
  })

  describe('the outbox on a disk whose sync may fail', () => {
    let failing: boolean
    let slow: PromiseWithResolvers<void> | undefined

    /** As with `durability: power`, which waits for the disk. */
    async function outboxOnDisk(store: RequestStore = storage.requests): Promise<Outbox> {
      failing = false
      slow = undefined
      rows.close()
      rows = new FileOutboxLog(join(directory, 'outbox'), 'power', () => logged.push('damaged'), {
        ...realDisk,
        async sync(descriptor) {
          await slow?.promise
          if (failing) throw new Error('EIO: i/o error, fdatasync')
          return realDisk.sync(descriptor)
        },
      })
      return outboxOn(store)
    }

    it('charges a failed request only once if its caller retries', async () => {
      const outbox = await outboxOnDisk()
      const [lost, again] = [newRecord(key, { chargePico: 5n }), newRecord(key, { chargePico: 7n })]
      failing = true
      await expect(outbox.append(lost)).rejects.toThrow('EIO')
      expect(() => outbox.requireRoom()).toThrow(expect.objectContaining({ status: 503 }) as Error)
      failing = false
      await outbox.append(again)
      await outbox.flush()
      expect(await spent()).toBe(7n)
      // Nor at the next start.
      await outbox.close()
      const next = await outboxOnDisk()
      await next.flush()
      expect([rows.rows, await spent()]).toEqual([0, 7n])
      expect(await storage.usage.request(key.accountId, lost.id)).toBeUndefined()
    })

    it('moves no row while its sync is in progress, however many there are, then all', async () => {
      const outbox = await outboxOnDisk()
      slow = Promise.withResolvers()
      const appended = Array.from({ length: 600 }, () => outbox.append(newRecord(key, { chargePico: 1n })))
      await vi.waitFor(() => expect(rows.rows).toBe(600))
      // It waits for the sync, and moves nothing meanwhile.
      const flushed = outbox.flush()
      await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, 1_000))])
      expect(await spent()).toBe(0n)
      slow.resolve()
      await Promise.all(appended)
      await flushed
      expect(await spent()).toBe(600n)
    })

    it('charges exactly what it reported as kept, whenever a sync fails', { timeout: 30_000 }, async () => {
      const seed = randomSeed()
      const random = randomFrom(seed)
      const outbox = await outboxOnDisk()
      let keptPico = 0n
      const appended: Promise<void>[] = []
      for (let row = 0; row < 300; row++) {
        failing = random() < 0.3
        const chargePico = BigInt(1 + Math.floor(random() * 50))
        const appending = outbox.append(newRecord(key, { chargePico }))
        const counted = appending.then(
          () => void (keptPico += chargePico),
          () => undefined,
        )
        appended.push(counted)
        if (random() < 0.5) await counted
        if (random() < 0.1) await outbox.flush()
      }
      await Promise.all(appended)
      await outbox.flush()
      expect(await spent(), `seed ${seed}`).toBe(keptPico)
      expect((await storage.ledger.verify()).differences).toEqual([])
    })
  })
})
