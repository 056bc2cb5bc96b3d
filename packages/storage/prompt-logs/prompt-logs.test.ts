import type { SealedLog } from '@turnpike/gateway'
import type { ApiKey } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { newAccount, newKey, noonMs } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const plenty = 1_000_000
const days = { usual: 7, most: 30 }
const dayMs = 86_400_000

onEachEngine((opened) => {
  const store = () => opened().storage.promptLogs

  /** A key of an account that keeps prompts. */
  async function loggedKey(): Promise<ApiKey> {
    const { storage } = opened()
    const { id } = await newAccount(storage)
    await storage.accounts.update(id, { logPrompts: true })
    return newKey(storage, id)
  }

  function logOf({ id, accountId }: ApiKey, changes: Partial<SealedLog> = {}): SealedLog {
    return {
      requestId: newIdentifier('req'),
      accountId,
      keyId: id,
      createdAtMs: noonMs,
      keyName: 'k1',
      plainBytes: 900,
      sealed: Buffer.from([0, 255, 1, 2, 92, 39]),
      ...changes,
    }
  }

  const found = async (log: SealedLog, nowMs = noonMs): Promise<boolean> => {
    const [row, has] = [
      await store().find(log.accountId, log.requestId, days, nowMs),
      await store().has(log.accountId, log.requestId, days, nowMs),
    ]
    expect(row !== undefined).toBe(has)
    return has
  }

  describe('a logged prompt', () => {
    it('is found as it was written, once, by its own account only', async () => {
      const [own, other] = [await loggedKey(), await loggedKey()]
      const log = logOf(own)
      expect(await store().write([log, logOf(other)], plenty)).toEqual({ written: 2, evicted: 0 })
      expect(await store().write([{ ...log, keyName: 'k2' }], plenty)).toEqual({ written: 0, evicted: 0 })
      const row = await store().find(own.accountId, log.requestId, days, noonMs)
      expect({ ...row, sealed: Buffer.from(row!.sealed) }).toEqual(log)
      expect(await store().find(other.accountId, log.requestId, days, noonMs)).toBeUndefined()
      expect(await store().figures(own.accountId)).toEqual({ entries: 1, bytes: 6, oldestAtMs: noonMs })
    })

    it('is written only if its account or key still wants it', async () => {
      const { accounts, apiKeys } = opened().storage
      const key = await loggedKey()
      const { accountId } = key
      const writes = async (): Promise<number> => (await store().write([logOf(key)], plenty)).written
      expect(await writes()).toBe(1)
      await apiKeys.update(accountId, key.id, { logPrompts: false })
      expect(await writes()).toBe(0)
      await accounts.update(accountId, { logPrompts: false })
      await apiKeys.update(accountId, key.id, { logPrompts: true })
      expect(await writes()).toBe(1)
      await apiKeys.update(accountId, key.id, { logPrompts: null })
      expect(await writes()).toBe(0)
      await accounts.update(accountId, { logPrompts: true })
      await accounts.update(accountId, { status: 'closed' })
      expect(await writes()).toBe(0)
      expect(await store().figures(accountId)).toMatchObject({ entries: 0, bytes: 0 })
    })

    it('is gone once it is deleted, and never written again', async () => {
      const key = await loggedKey()
      const [written, later] = [logOf(key), logOf(key)]
      await store().write([written], plenty)
      for (const log of [written, later, written]) await store().drop(log)
      expect(await store().write([written, later], plenty)).toEqual({ written: 0, evicted: 0 })
      expect([await found(written), await found(later)]).toEqual([false, false])
      expect(await store().figures(key.accountId)).toMatchObject({ entries: 0, bytes: 0 })
    })

    it('is deleted with its key or account, even if written later', async () => {
      const key = await loggedKey()
      const second = await newKey(opened().storage, key.accountId)
      const logs = [logOf(key), logOf(key), logOf(second)]
      await store().write(logs, plenty)
      expect(await store().dropAll(key.accountId, key.id, noonMs + 1)).toBe(2)
      expect(await Promise.all(logs.map((log) => found(log)))).toEqual([false, false, true])
      expect((await store().write([logOf(key), logOf(second)], plenty)).written).toBe(1)
      expect(await store().dropAll(key.accountId, undefined, noonMs + 1)).toBe(2)
      expect((await store().write([logOf(second)], plenty)).written).toBe(0)
      const after = { createdAtMs: noonMs + 5_000 }
      expect((await store().write([logOf(key, after), logOf(second, after)], plenty)).written).toBe(2)
    })

    it('makes room for newer ones of its account', async () => {
      const [key, other] = [await loggedKey(), await loggedKey()]
      const sealed = Buffer.alloc(400)
      const old = [1, 2, 3].map((at) => logOf(key, { createdAtMs: noonMs + at, sealed }))
      await store().write([...old, logOf(other, { sealed })], 1_000)
      expect(await Promise.all(old.map((log) => found(log)))).toEqual([false, true, true])
      expect(await store().write([logOf(key, { createdAtMs: noonMs + 4, sealed })], 1_000)).toEqual({
        written: 1,
        evicted: 1,
      })
      expect(await store().figures(key.accountId)).toMatchObject({ entries: 2, bytes: 800 })
      expect(await store().figures(other.accountId)).toMatchObject({ entries: 1, bytes: 400 })
    })

    it('is kept for as many days as its account says, within the operator’s limit', async () => {
      const { accounts } = opened().storage
      const key = await loggedKey()
      const log = logOf(key)
      await store().write([log], plenty)
      const lastsDays = async (count: number): Promise<void> => {
        expect(await found(log, noonMs + count * dayMs - 1)).toBe(true)
        expect(await found(log, noonMs + count * dayMs)).toBe(false)
      }
      await lastsDays(7)
      await accounts.update(key.accountId, { logDays: 2 })
      await lastsDays(2)
      await accounts.update(key.accountId, { logDays: 90 })
      await lastsDays(30)
      await accounts.update(key.accountId, { logDays: null })
      await store().dropExpired(days, noonMs + 7 * dayMs - 1)
      expect(await found(log)).toBe(true)
      await store().dropExpired(days, noonMs + 7 * dayMs)
      expect(await found(log)).toBe(false)
      expect(await store().figures(key.accountId)).toMatchObject({ entries: 0, bytes: 0 })
    })
  })

  it('is deleted when its owner closes the account', async () => {
    const key = await loggedKey()
    const log = logOf(key)
    await store().write([log], plenty)
    await opened().storage.accounts.close(key.accountId, noonMs)
    expect((await store().write([logOf(key)], plenty)).written).toBe(0)
    expect(await store().figures(key.accountId)).toMatchObject({ entries: 0, bytes: 0 })
  })

  it('disabling the prompt log deletes all logs', async () => {
    const key = await loggedKey()
    const logs = Array.from({ length: 250 }, () => logOf(key))
    for (let at = 0; at < logs.length; at += 50) await store().write(logs.slice(at, at + 50), plenty)
    await store().dropExpired(undefined, noonMs)
    expect(await store().figures(key.accountId)).toMatchObject({ entries: 0, bytes: 0 })
  })

  it('concurrent writes and deletions leave nothing from before the deletion', async () => {
    const key = await loggedKey()
    for (let round = 0; round < 20; round++) {
      const writes = [1, 2, 3].map(() => store().write([logOf(key), logOf(key)], plenty))
      const [deleted] = await Promise.all([store().dropAll(key.accountId, undefined, noonMs + 1), ...writes])
      expect(deleted).toBeLessThanOrEqual(6)
      expect(await store().figures(key.accountId)).toMatchObject({ entries: 0, bytes: 0 })
    }
  })
})
