import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { UsageStore } from '@turnpike/gateway'
import { describe, expect, test } from 'vitest'
import {
  internalSecret,
  nowMs,
  requestRecord,
  startManagementServer,
  suiteManagementServer,
  type Answer,
} from '../testing/management-server.ts'

const accounts = '/api/v1/admin/accounts'
const everything = '/api/v1/admin/usage'

async function newKey(): Promise<{ accountId: string; keyId: string }> {
  const body = { oidc_sub: crypto.randomUUID() }
  const { id: accountId } = (await server.call('POST', accounts, { body })).json
  const key = await server.call('POST', `${accounts}/${accountId}/keys`, { body: { name: 'k' } })
  return { accountId, keyId: key.json.id }
}

const server = await suiteManagementServer()
const mine = await newKey()
const usage = `${accounts}/${mine.accountId}/usage`
const earlier = requestRecord({ ...mine, tags: ['team:a'], startedAtMs: nowMs - 1000 })
const later = requestRecord({ ...mine, tags: ['team:a'], outcome: 'failed', chargePico: 0n })
await server.write(later, earlier, requestRecord({ ...(await newKey()), startedAtMs: nowMs }))

test('a HEAD returns the headers of the file, and reads no more than one row', async () => {
  let read = 0
  let ended = 0
  const counting = await startManagementServer(({ storage }) => ({
    usage: {
      ...storage.usage,
      async *export() {
        try {
          for (; ; read++) yield earlier
        } finally {
          ended++
        }
      },
    },
  }))
  const path = `${counting.origin}${everything}/export?format=csv`
  const headers = { 'x-internal-secret': internalSecret }
  const answer = await fetch(path, { method: 'HEAD', headers })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/csv'),
  ])
  expect(answer.headers.get('content-disposition')).toContain('.csv')
  await expect.poll(() => [read, ended]).toEqual([0, 1])
  await counting.close()
})

describe('the export', () => {
  const lines = ({ text }: Answer): string[] => text.split(/\r?\n/).slice(0, -1)

  test('writes CSV', async () => {
    const answer = await server.call('GET', `${usage}/export?format=csv`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="usage-2026-02-09-2026-03-10.csv"',
    )
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const ids = lines(answer).map((line) => line.split(',')[0])
    expect(ids).toEqual(['id', earlier.id, later.id])
  })

  test('writes JSON lines: the rows of the list, oldest first', async () => {
    const answer = await server.call('GET', `${usage}/export?format=jsonl&tag=team:a`)
    expect(answer.headers.get('content-type')).toBe('application/jsonl; charset=utf-8')
    const list = (await server.call('GET', `${usage}/requests?tag=team:a`)).json.data
    expect(lines(answer).map((line) => JSON.parse(line))).toEqual(list.toReversed())
  })

  test('writes only a header, or nothing, if there are no rows', async () => {
    const nothing = 'tag=none'
    expect(lines(await server.call('GET', `${usage}/export?format=csv&${nothing}`))).toHaveLength(1)
    expect((await server.call('GET', `${usage}/export?format=jsonl&${nothing}`)).text).toBe('')
  })

  test('covers all accounts', async () => {
    expect(lines(await server.call('GET', `${everything}/export?format=csv`))).toHaveLength(4)
  })

  test('is an error if it fails before its first row, and a broken connection later', async () => {
    const storage: { fail: 'at once' | 'later' } = { fail: 'at once' }
    const failing = await startManagementServer({
      usage: usageThat(async function* () {
        if (storage.fail === 'at once') throw new Error('no database')
        for (let number = 0; number < 2000; number++) yield earlier
        throw new Error('no database any more')
      }),
    })
    const path = `${everything}/export?format=csv`
    expect((await failing.call('GET', path)).status).toBe(500)
    storage.fail = 'later'
    await expect(failing.call('GET', path)).rejects.toThrow(/terminated|fetch failed/)
    expect(failing.told.some((line) => line.includes('was interrupted'))).toBe(true)
    await failing.close()
  })

  test('reads no faster than the client, and stops when the client leaves', async () => {
    let read = 0
    let ended: () => void
    const end = new Promise<void>((resolve) => (ended = resolve))
    const slow = await startManagementServer({
      usage: usageThat(async function* () {
        try {
          for (; read < 1_000_000; read++) yield earlier
        } finally {
          ended()
        }
      }),
    })
    const headers = { 'x-internal-secret': internalSecret }
    const sent = httpRequest(`${slow.origin}${everything}/export?format=csv`, { headers })
    const response = await new Promise<IncomingMessage>((resolve) => sent.on('response', resolve).end())
    let before = -1
    while (before !== read) {
      before = read
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    // About 250 bytes per row: what the sockets' buffers hold, and no more.
    expect(read).toBeLessThan(100_000)
    response.destroy()
    await end
    await slow.close()
  })

  function usageThat(exporting: UsageStore['export']): UsageStore {
    return { ...server.storage.usage, export: exporting }
  }
})
