import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordToPayload } from '@turnpike/gateway/record-payload'
import { FileOutboxLog, openStorage, type Storage } from '@turnpike/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fundedKey, newRecord } from '../../../packages/storage/testing/fixtures.ts'
import { setAsideRows } from './set-aside-rows.ts'

const chargePico = 12_345n

describe('rows that were set aside', () => {
  let dataDir: string
  let storage: Storage
  let own: FileOutboxLog
  let others: FileOutboxLog

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'turnpike-set-aside-'))
    storage = await openStorage({ engine: 'sqlite', path: join(dataDir, 'turnpike.db') })
    own = new FileOutboxLog(join(dataDir, 'outbox'), 'process', () => undefined)
    others = new FileOutboxLog(join(dataDir, 'workers/2/outbox'), 'process', () => undefined)
  })
  afterEach(async () => {
    own.close()
    others.close()
    await storage.close()
    rmSync(dataDir, { recursive: true })
  })

  const service = () => setAsideRows({ storage, rows: own, dataDir })
  const balanceOf = async ({ id, accountId }: { id: string; accountId: string }) =>
    (await storage.apiKeys.find(accountId, id))!.balancePico

  it('are charged once when they are written again, and no longer counted', async () => {
    const key = await fundedKey(storage, 1_000_000n)
    const record = newRecord(key, { chargePico })
    own.setAside(recordToPayload(record), 'disk I/O error')
    const { rows, total } = await service().list(10)
    expect([rows, total]).toMatchObject([
      [{ requestId: record.id, chargePico, keyId: key.id, place: 'outbox', isOwn: true, isStored: false }],
      1,
    ])
    expect(own.keptApart).toMatchObject({ rows: 1, chargePico })
    const { id } = rows[0]!
    expect(await Promise.all([service().retry(id), service().retry(id)])).toEqual([undefined, undefined])
    expect(own.keptApart).toMatchObject({ rows: 0, chargePico: 0n })
    expect(await balanceOf(key)).toBe(1_000_000n - chargePico)
    expect(await storage.ledger.verify()).toMatchObject({ ok: true })
    await expect(service().retry(id)).rejects.toMatchObject({ status: 404 })
  })

  it('stay with the newest reason if they are refused again', async () => {
    const { accountId } = await fundedKey(storage, 1n)
    own.setAside(recordToPayload(newRecord({ id: 'key_none', accountId }, { chargePico })), 'an old reason')
    own.setAside('{"id":', 'no record')
    const { rows } = await service().list(10)
    expect(await service().retry(rows[0]!.id)).toMatch(/FOREIGN KEY/)
    expect(await service().retry(rows[1]!.id)).toMatch(/it is no record/)
    const again = await service().list(1)
    expect(again).toMatchObject({
      rows: [{ reason: expect.stringMatching(/FOREIGN KEY/) as string }],
      total: 2,
    })
    await service().discard(rows[1]!.id)
    expect((await service().list(10)).total).toBe(1)
  })

  it('of another worker are listed, and cannot be changed', async () => {
    const key = await fundedKey(storage, 1n)
    others.setAside(recordToPayload(newRecord(key)), 'a reason')
    const { rows } = await service().list(10)
    expect(rows).toMatchObject([{ place: 'workers/2/outbox', isOwn: false }])
    await expect(service().retry(rows[0]!.id)).rejects.toMatchObject({ status: 409 })
    await expect(service().discard(rows[0]!.id)).rejects.toMatchObject({ status: 409 })
    await expect(service().discard('0'.repeat(32))).rejects.toMatchObject({ status: 404 })
  })
})
