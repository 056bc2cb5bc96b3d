import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LedgerStore } from '@turnpike/billing'
import { expect, test } from 'vitest'
import { LedgerSchedule } from './ledger-schedule.ts'
import { suiteKey, suiteNode } from '../../../tests/nodes/suite.ts'

/** Automatic verification of the ledger. */

const dayMs = 86_400_000
const mayBegin = { mayBegin: true }

let nowMs = Date.now()
const failures: string[] = []

const node = suiteNode()
const key = suiteKey(node)

function scheduleOf(
  nodeId: string,
  ledger: Pick<LedgerStore, 'verify'> = node.storage.ledger,
  everyMs = dayMs,
) {
  const onFailure = (error: unknown, what: string): void => void failures.push(`${what} ${String(error)}`)
  const { verifications: runs } = node.storage
  return new LedgerSchedule({ ledger, runs, nodeId, everyMs, clock: () => nowMs, onFailure })
}

const runs = async () => (await node.storage.verifications.list({}, { limit: 200 })).rows
const reports = async () =>
  (await node.storage.events.list(null, { limit: 200 }, 'ledger.difference')).rows.map(({ data }) => data)

function tamper(sign: '+' | '-'): void {
  const database = new DatabaseSync(join(node.dataDir, 'turnpike.db'))
  database.exec(`UPDATE ledger_accounts SET balance_pico = balance_pico ${sign} 7 WHERE id = 'key:${key.id}'`)
  database.close()
}

test('the ledger is verified once a day, by one of the nodes', async () => {
  const nodes = ['node_a', 'node_b', 'node_c'].map((id) => scheduleOf(id))
  const look = () => Promise.all(nodes.map((one) => one.look(mayBegin)))
  await Promise.all(nodes.map((one) => one.look({ mayBegin: false })))
  expect(await runs()).toEqual([])
  await look()
  await look()
  expect(await runs()).toMatchObject([{ state: 'finished', differences: [] }])
  nowMs += dayMs - 60_000
  await look()
  expect(await runs()).toHaveLength(1)
  nowMs += 60_000
  await look()
  expect(await runs()).toHaveLength(2)
  expect(failures).toEqual([])
  await scheduleOf('node_a', node.storage.ledger, 0).look(mayBegin)
  expect(await runs()).toHaveLength(2)
})

test('a difference is reported once, however it is found', async () => {
  tamper('+')
  const schedule = scheduleOf('node_a')
  for (let day = 0; day < 3; day++) {
    nowMs += dayMs
    await schedule.look(mayBegin)
    expect((await node.admin<{ ok: boolean }>('/ledger/verify')).ok).toBe(false)
  }
  expect(await reports()).toEqual([expect.objectContaining({ new_differences: expect.any(Number) })])
  const [data] = await reports()
  expect(data!['new_differences']).toBe(data!['differences'])
  expect(schedule.latest!.differences).toHaveLength(Number(data!['differences']))
  tamper('-')
  nowMs += dayMs
  await schedule.look(mayBegin)
  expect(schedule.latest).toMatchObject({ state: 'finished', differences: [] })
  tamper('+')
  expect((await node.admin<{ ok: boolean }>('/ledger/verify')).ok).toBe(false)
  expect(await reports()).toHaveLength(2)
  tamper('-')
})

test('an abandoned verification is recorded as stopped, and started again an hour later', async () => {
  nowMs += dayMs
  const { promise: isUnderWay, resolve: begun } = Promise.withResolvers<void>()
  const schedule = scheduleOf('node_a', {
    verify: (options = {}) => {
      // Simulates a ledger that takes long: it waits between two queries.
      const rest = (): Promise<void> => {
        begun()
        return new Promise((resolve) => options.signal!.addEventListener('abort', () => resolve()))
      }
      return node.storage.ledger.verify({ ...options, rest })
    },
  })
  const looking = schedule.look(mayBegin)
  await isUnderWay
  await schedule.stop()
  await looking
  expect((await runs())[0]).toMatchObject({ state: 'stopped' })
  const other = scheduleOf('node_b')
  await other.look(mayBegin)
  expect((await runs())[0]).toMatchObject({ state: 'stopped' })
  nowMs += 3_600_000
  await other.look(mayBegin)
  expect((await runs())[0]).toMatchObject({ state: 'finished', nodeId: 'node_b' })
})

test('a verification whose node was killed is started again an hour later by one other node', async () => {
  nowMs += dayMs
  const { verifications: store } = node.storage
  const [newest] = await runs()
  const { run: killed } = await store.begin('node_a', nowMs, newest!.id)
  await store.advance(killed.id, 3, nowMs + 30_000)
  const others = ['node_b', 'node_c'].map((id) => scheduleOf(id))
  const look = () => Promise.all(others.map((one) => one.look(mayBegin)))
  nowMs += 3_000_000
  await look()
  expect((await runs())[0]).toMatchObject({ id: killed.id, state: 'stopped', checked: 3 })
  nowMs += 600_000
  await look()
  expect(await runs()).toMatchObject([{ state: 'finished' }, { id: killed.id }, ...(await runs()).slice(2)])
})

test('a failed verification is recorded, and not retried at once', async () => {
  nowMs += dayMs
  const schedule = scheduleOf('node_a', { verify: () => Promise.reject(new Error('disk')) })
  await schedule.look(mayBegin)
  expect((await runs())[0]).toMatchObject({ state: 'failed' })
  expect(failures.splice(0)).toEqual(['The ledger could not be verified. Error: disk'])
  const before = (await runs()).length
  nowMs += 3_600_000
  await schedule.look(mayBegin)
  expect(await runs()).toHaveLength(before)
})

test('a verification pauses between its queries', async () => {
  let rests = 0
  const rest = async (): Promise<void> => void rests++
  expect(await node.storage.ledger.verify({ rest })).toMatchObject({ ok: true })
  expect(rests).toBeGreaterThan(10)
})
