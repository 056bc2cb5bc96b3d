import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordToPayload } from '@turnpike/gateway/record-payload'
import { FileOutboxLog, openStorage, type Storage } from '@turnpike/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fundedKey, newRecord } from '../../../packages/storage/testing/fixtures.ts'
import { setAside, type SetAsideAction } from './set-aside.ts'

describe('turnpike-gateway set-aside', () => {
  let dataDir: string
  let storage: Storage
  let outbox: FileOutboxLog

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'turnpike-set-aside-'))
    writeFileSync(join(dataDir, 'turnpike.yaml'), JSON.stringify({ data_dir: dataDir }))
    storage = await openStorage({ engine: 'sqlite', path: join(dataDir, 'turnpike.db') })
    outbox = new FileOutboxLog(join(dataDir, 'outbox'), 'process', () => undefined)
  })
  afterEach(async () => {
    outbox.close()
    await storage.close()
    rmSync(dataDir, { recursive: true })
  })

  async function run(action: SetAsideAction): Promise<{ code: number; output: string; errors: string }> {
    let [output, errors] = ['', '']
    const code = await setAside(
      action,
      { path: join(dataDir, 'turnpike.yaml'), environment: {}, directory: dataDir },
      { print: (text) => (output += text), printError: (text) => (errors += text) },
    )
    return { code, output, errors }
  }
  const ids = async (): Promise<string[]> =>
    (await run({ does: 'list' })).output.split('\n').flatMap((line) => line.split('\t')[0] || [])

  it('lists the rows beside a running gateway, and does not change its rows', async () => {
    const record = newRecord(await fundedKey(storage, 1_000_000n), { chargePico: 12_345n })
    outbox.setAside(recordToPayload(record), 'disk I/O error\nat once')
    const { code, output } = await run({ does: 'list' })
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^[0-9a-f]{32}\t${record.id}\t0.000000012345\tdisk I/O error at once\n$`),
      ),
    ])
    const id = output.split('\t')[0]!
    expect(await run({ does: 'retry', id })).toMatchObject({
      code: 1,
      errors: expect.stringContaining('running gateway'),
    })
    expect(await ids()).toEqual([id])
  })

  it('charges a row once that no gateway has open, and notes it in the audit log', async () => {
    const key = await fundedKey(storage, 1_000_000n)
    const record = newRecord(key, { chargePico: 12_345n })
    outbox.setAside(recordToPayload(record), 'disk I/O error')
    const foreign = newRecord({ id: 'key_none', accountId: key.accountId }, { chargePico: 1n })
    outbox.setAside(recordToPayload(foreign), 'an old reason')
    outbox.close()
    const [id, other] = await ids()
    expect(await run({ does: 'retry', id: id! })).toMatchObject({
      code: 0,
      output: `${id}: written and charged\n`,
    })
    expect((await storage.apiKeys.find(key.accountId, key.id))!.balancePico).toBe(1_000_000n - 12_345n)
    const refused = await run({ does: 'retry', id: other! })
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('rejected again') })
    const reason = 'credited by hand'
    expect((await run({ does: 'discard', id: other!, reason })).code).toBe(0)
    expect(await ids()).toEqual([])
    expect((await run({ does: 'retry', id: id! })).code).toBe(1)
    const { rows } = await storage.audit.list({}, { limit: 10 })
    expect(rows.map(({ action, target, status }) => [action, target, status])).toEqual([
      ['discardSetAsideRow', other, 200],
      ['retrySetAsideRow', other, 409],
      ['retrySetAsideRow', id, 200],
    ])
    expect(rows[0]!.details).toContain(reason)
    expect(await storage.ledger.verify()).toMatchObject({ ok: true })
    outbox = new FileOutboxLog(join(dataDir, 'outbox'), 'process', () => undefined)
  })
})
