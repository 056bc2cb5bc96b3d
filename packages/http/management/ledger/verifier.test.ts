import type { LedgerVerification, VerifyOptions } from '@turnpike/billing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { startManagementServer, type ManagementServer } from '../testing/management-server.ts'

let server: ManagementServer | undefined
afterEach(() => server?.close())

const path = '/api/v1/admin/ledger'
const good: LedgerVerification = { ok: true, checked: 7, differences: [] }

/** A ledger whose verifications end when the test ends them. */
async function startSlow(): Promise<{ runs: VerifyOptions[]; endAll: (found?: LedgerVerification) => void }> {
  const runs: VerifyOptions[] = []
  const ends: ((found: LedgerVerification) => void)[] = []
  server = await startManagementServer(({ storage }) => ({
    nodeId: 'node_x',
    ledger: {
      ...storage.ledger,
      verify: (options = {}) => {
        runs.push(options)
        return new Promise((resolve) => {
          ends.push(resolve)
          options.signal?.addEventListener('abort', () => resolve({ ...good, ok: false, stopped: true }))
        })
      },
    },
  }))
  return { runs, endAll: (found = good) => ends.splice(0).forEach((end) => end(found)) }
}

const call = (method: string, rest: string) => server!.call(method, `${path}/${rest}`)

describe('verifying the ledger', () => {
  test('runs once, however many callers request it at the same time', async () => {
    const { runs, endAll } = await startSlow()
    const responses = await Promise.all(Array.from({ length: 20 }, () => call('POST', 'verifications')))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(responses.map(({ json }) => json.id)).size).toBe(1)
    expect(runs).toHaveLength(1)
    endAll()
    const last = async () => (await call('GET', `verifications/${responses[0]!.json.id}`)).json
    await vi.waitFor(async () =>
      expect(await last()).toMatchObject({ state: 'finished', ok: true, checked: 7 }),
    )
    const audited = await server!.call('GET', '/api/v1/admin/audit?action=beginLedgerVerification&limit=50')
    expect(audited.json.data).toHaveLength(20)
  })

  test('runs again for callers that arrive during a run, to include what was done before', async () => {
    const { runs, endAll } = await startSlow()
    const first = call('GET', 'verify')
    await vi.waitFor(() => expect(runs).toHaveLength(1))
    const others = Array.from({ length: 20 }, () => call('GET', 'verify'))
    await server!.call('GET', '/api/v1/admin/accounts')
    endAll()
    expect((await first).status).toBe(200)
    await vi.waitFor(() => expect(runs).toHaveLength(2))
    endAll({
      ok: false,
      checked: 9,
      differences: [{ subject: 'balance of key:a', expected: '1', found: '2' }],
    })
    for (const { json } of await Promise.all(others)) {
      expect(json).toMatchObject({ ok: false, checked: 9 })
      const [difference] = json['differences'] as { meaning: string; remedy: string }[]
      expect(difference!.meaning).toBe(
        'The stored balance of key:a is 0.000000000002 USD, ' +
          'but its entries add up to 0.000000000001 USD.',
      )
      expect(difference!.remedy).toContain('adjustment')
    }
    expect(runs).toHaveLength(2)
  })

  test('is stopped if it takes too long, and reports that', async () => {
    const { endAll } = await startSlow()
    const { json } = await call('POST', 'verifications')
    const waiting = call('GET', 'verify')
    const difference = { subject: 'usage transfer of req_1', expected: '1', found: '0' }
    endAll({ ok: false, checked: 5, stopped: true, differences: [difference] })
    const found = async () => (await call('GET', `verifications/${json.id}`)).json
    await vi.waitFor(async () =>
      expect(await found()).toMatchObject({ state: 'stopped', ok: false, checked: 5 }),
    )
    await vi.waitFor(() => endAll({ ...good, ok: false, stopped: true }))
    const answer = await Promise.race([waiting, retried(waiting, endAll)])
    expect([answer.status, answer.json.error.type]).toEqual([503, 'service_unavailable'])
  })

  test('reports a failure, and the next run works', async () => {
    let fails = true
    server = await startManagementServer(({ storage }) => ({
      ledger: {
        ...storage.ledger,
        verify: (options) => (fails ? Promise.reject(new Error('disk')) : storage.ledger.verify(options)),
      },
    }))
    const { json } = await call('POST', 'verifications')
    const state = async (id: string) => (await call('GET', `verifications/${id}`)).json['state']
    await vi.waitFor(async () => expect(await state(json.id)).toBe('failed'))
    expect((await call('GET', 'verify')).status).toBe(500)
    fails = false
    expect((await call('GET', 'verify')).json['ok']).toBe(true)
    const again = await call('POST', 'verifications')
    await vi.waitFor(async () => expect(await state(again.json.id)).toBe('finished'))
  })

  test('ends with its node, and is recorded as stopped', async () => {
    const { runs } = await startSlow()
    await call('POST', 'verifications')
    const { storage } = server!
    const ended = vi.spyOn(storage.verifications, 'end')
    await server!.close()
    server = undefined
    expect(runs[0]!.signal!.aborted).toBe(true)
    expect(ended).toHaveBeenCalledWith(
      expect.any(String),
      expect.objectContaining({ state: 'stopped' }),
      expect.any(Number),
    )
  })

  test.each(['x', `ver_${'0'.repeat(26)}`])('verification %s is 404', async (id) => {
    server = await startManagementServer()
    expect((await call('GET', `verifications/${id}`)).status).toBe(404)
  })
})

/** Ends every run until the response arrives. */
async function retried<Answer>(waiting: Promise<Answer>, endAll: (found?: LedgerVerification) => void) {
  const timer = setInterval(() => endAll({ ...good, ok: false, stopped: true }), 5)
  try {
    return await waiting
  } finally {
    clearInterval(timer)
  }
}
