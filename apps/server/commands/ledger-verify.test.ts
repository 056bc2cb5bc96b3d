import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LedgerVerification } from '@turnpike/billing'
import { recordToPayload } from '@turnpike/gateway/record-payload'
import { FileOutboxLog } from '@turnpike/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newRecord } from '../../../packages/storage/testing/fixtures.ts'
import { ledgerVerify } from './ledger-verify.ts'
import { startTestNode, type TestKey, type TestNode } from '../../../tests/nodes/test-node.ts'

describe('turnpike-gateway ledger verify', () => {
  let directory: string
  let node: TestNode
  let key: TestKey

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'turnpike-verify-'))
    node = await startTestNode()
    key = await node.createKey()
    const body = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'hi' }] }
    expect((await node.chat(key, body)).status).toBe(200)
    await node.admin('/accounts')
  })
  afterEach(async () => {
    await node.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  async function verify(dataDir: string): Promise<{ code: number; output: string; errors: string }> {
    const path = join(directory, 'turnpike.yaml')
    writeFileSync(path, JSON.stringify({ data_dir: dataDir }))
    let [output, errors] = ['', '']
    const code = await ledgerVerify(
      { path, environment: {}, directory },
      (text) => (output += text),
      (text) => (errors += text),
    )
    return { code, output, errors }
  }

  it('prints OK beside the running gateway', async () => {
    expect(await verify(node.dataDir)).toEqual({
      code: 0,
      output: expect.stringMatching(/^OK: \d+ balances, leases and charges recomputed\n$/),
      errors: '',
    })
  })

  it('names the first difference in a copy with a wrong row, and exits with 1', async () => {
    const copy = join(directory, 'turnpike.db')
    const original = new DatabaseSync(join(node.dataDir, 'turnpike.db'))
    original.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    original.close()
    copyFileSync(join(node.dataDir, 'turnpike.db'), copy)
    const database = new DatabaseSync(copy)
    database.exec(`UPDATE ledger_accounts SET balance_pico = balance_pico + 7 WHERE id = 'key:${key.id}'`)
    database.close()
    const { code, output } = await verify(directory)
    expect(code).toBe(1)
    const pico = '(\\d+)'
    const [, expected, found] =
      new RegExp(`^balance of key:${key.id}: expected ${pico}, found ${pico}\n`).exec(output) ?? []
    expect(BigInt(found!) - BigInt(expected!)).toBe(7n)
  })

  it('names rows that were set aside and damaged bytes, also those of other workers', async () => {
    const { id, accountId } = key
    const lost = newRecord({ id: 'key_none', accountId }, { chargePico: 12_345n })
    const kept = newRecord({ id, accountId })
    await node.storage.requests.write('node_x', [kept])
    const before = await verify(node.dataDir)
    const place = 'workers/2/outbox'
    const folder = join(node.dataDir, place)
    const log = new FileOutboxLog(folder, 'process', () => undefined)
    log.setAside(recordToPayload(lost), 'no such key')
    log.setAside('{"id":', 'no record')
    // This row was posted by hand, so it is not missing.
    log.setAside(recordToPayload(kept), 'no such key')
    writeFileSync(join(folder, 'damaged-0000000001.log-0-00000000'), 'TPO1')
    const expected = [
      `charge of ${lost.id}, set aside in ${place}: expected 12345, found none: no such key`,
      `charge of a row that cannot be read, set aside in ${place}: expected 0, found none: no record`,
      `bytes that are no rows in ${place}/damaged-0000000001.log-0-00000000: expected 0, found 4`,
    ]
    const { code, output } = await verify(node.dataDir)
    expect([before.code, before.output]).toEqual([0, expect.stringMatching(/^OK/)])
    expect([code, output.trimEnd().split('\n')]).toEqual([1, expected])
    const { ok, differences } = await node.admin<LedgerVerification>('/ledger/verify')
    expect([ok, differences.length]).toEqual([false, 3])
    log.close()
  })

  it('exits with 2 if there is no database, and creates none', async () => {
    const { code, errors } = await verify(join(directory, 'nowhere'))
    expect([code, errors]).toEqual([2, expect.stringContaining('does not exist')])
    expect((await verify(join(directory, 'nowhere'))).code).toBe(2)
  })

  it('exits with 2 if the database has another version, and leaves it unchanged', async () => {
    const empty = new DatabaseSync(join(directory, 'turnpike.db'))
    empty.exec(`CREATE TABLE schema_migrations (number INTEGER, name TEXT, applied_at_ms INTEGER) STRICT`)
    empty.close()
    const { code, errors } = await verify(directory)
    expect([code, errors]).toEqual([2, expect.stringContaining('by an older version')])
  })

  it('exits with 2 if the configuration has a mistake', async () => {
    const path = join(directory, 'turnpike.yaml')
    writeFileSync(path, 'bilng: {}')
    let errors = ''
    const code = await ledgerVerify(
      { path, environment: {}, directory },
      () => undefined,
      (text) => (errors += text),
    )
    expect([code, errors]).toEqual([2, expect.stringContaining('bilng')])
  })
})
