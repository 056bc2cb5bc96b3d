import type { RequestRecord } from '@turnpike/gateway'
import { describe, expect, test } from 'vitest'
import { newRecord } from '../../../storage/testing/fixtures.ts'
import { exampleModel } from '../openapi/compatible/model.ts'
import { nowMs, startManagementServer, suiteManagementServer } from '../testing/management-server.ts'

const dayMs = 86_400_000
const model = exampleModel.id
const path = `/api/v1/models/providers?model=${encodeURIComponent(model)}`
const publicPath = path.replace('/models', '/public/models')
const hidden = 'acme/secret'

let listed = 0

const server = await suiteManagementServer({
  publicModels: () => {
    listed++
    return [exampleModel]
  },
  modelOffers: (name) =>
    [model, hidden].includes(name)
      ? {
          model: name,
          endpoints: ['chat.completions'],
          offers: [
            {
              provider: 'openai',
              pricing: exampleModel.pricing,
              nativeEndpoints: ['chat.completions'],
              state: null,
            },
          ],
          fallbacks: [],
          choices: [],
        }
      : undefined,
})

/** Records this many requests of a user, yesterday by default, some of which failed. */
async function ask(as: string, count: number, failed = 0, ageDays = 1): Promise<void> {
  const { id: accountId } = (await server.call('GET', '/api/v1/me', { as })).json
  const { id } = (await server.call('POST', '/api/v1/me/keys', { as, body: { name: 'k' } })).json
  const startedAtMs = nowMs - ageDays * dayMs
  const records = Array.from({ length: count }, (_, index) =>
    newRecord(
      { id, accountId },
      {
        startedAtMs,
        modelServed: model,
        provider: 'openai',
        ...(index < failed && {
          outcome: 'failed',
          status: 502,
          errorType: 'upstream_error',
          chargePico: 0n,
        }),
      },
    ),
  )
  await server.write(...records)
}

async function measured(as?: string): Promise<Record<string, unknown> | null> {
  // Figures over all accounts are cached for an hour.
  server.clock.nowMs += 3_600_000
  const { status, json } = await (as === undefined
    ? server.call('GET', publicPath, { secret: null })
    : server.call('GET', path, { as }))
  expect(status).toBe(200)
  const [{ measured: found } = { measured: null }] = json['providers'] as {
    measured: Record<string, unknown> | null
  }[]
  return found
}

function uptimesIn(found: Record<string, unknown> | null): (number | null)[] {
  const days = (found?.['uptime_by_day'] ?? []) as { day: string; uptime: number | null }[]
  expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).toSorted())
  return days.map(({ uptime }) => uptime)
}

describe('a provider’s figures', () => {
  test('of one account are shown to that account only', async () => {
    expect(await measured('ada')).toBeNull()
    await ask('ada', 4, 1, 0)
    const own = await measured('ada')
    expect(own).toMatchObject({ scope: 'account', requests: 4, uptime: 0.75 })
    expect(uptimesIn(own)).toEqual([null, null, null, null, null, null, 0.75])
    expect(await measured('grace')).toBeNull()
    expect(await measured()).toBeNull()
  })

  test('of all accounts are shown from three accounts and 100 requests on, without the count', async () => {
    await ask('grace', 90)
    await ask('edsger', 9, 9)
    // 99 requests of two accounts: Ada's of today are not in the last whole days.
    expect(await measured('grace')).toMatchObject({ scope: 'account', requests: 90 })
    expect(await measured()).toBeNull()
    await ask('barbara', 2)
    // Grace has nine tenths of the requests.
    expect(await measured('edsger')).toMatchObject({ scope: 'account', requests: 9, uptime: 0 })
    await ask('barbara', 18)
    const all = { scope: 'all', requests: null, uptime: 0.924 }
    for (const as of ['ada', 'grace', 'nobody', undefined]) expect(await measured(as)).toMatchObject(all)
    // Each day follows the rule of the week: a day with 60 requests is not shown.
    expect(uptimesIn(await measured())).toEqual([null, null, null, null, null, 0.924, null])
    for (const one of ['grace', 'edsger', 'barbara']) await ask(one, 20, 20, 2)
    expect(uptimesIn(await measured())).toEqual([null, null, null, null, null, 0.924, null])
    for (const one of ['grace', 'edsger', 'barbara']) await ask(one, 20, 0, 2)
    expect(uptimesIn(await measured())).toEqual([null, null, null, null, 0.5, 0.924, null])
  })

  test('ignore failures that are the callers’ fault', async () => {
    const { id: accountId } = (await server.call('GET', '/api/v1/me', { as: 'ken' })).json
    const { id } = (await server.call('POST', '/api/v1/me/keys', { as: 'ken', body: { name: 'k' } })).json
    const record = (changes: Partial<RequestRecord>): RequestRecord =>
      newRecord(
        { id, accountId },
        { modelServed: hidden, provider: 'openai', startedAtMs: nowMs, ...changes },
      )
    const own = async (): Promise<unknown> => {
      const { json } = await server.call('GET', path.replace(encodeURIComponent(model), hidden), {
        as: 'ken',
      })
      return json['providers']
    }
    await server.write(
      record({ outcome: 'client_closed', status: 499, errorType: 'client_closed_request' }),
      record({ outcome: 'failed', status: 400, errorType: 'invalid_request_error', chargePico: 0n }),
    )
    expect(await own()).toMatchObject([{ measured: { requests: 2, uptime: null } }])
    await server.write(record({}), record({ status: 429, errorType: 'rate_limit_error' }))
    expect(await own()).toMatchObject([{ measured: { requests: 4, uptime: 0.5 } }])
  })
})

test('a database that is unavailable is asked again after a moment, once for all callers', async () => {
  let asked = 0
  const away = await startManagementServer(({ storage }) => ({
    providerHealth: {
      between(range) {
        if (asked++ === 0) throw new Error('away')
        return storage.providerHealth.between(range)
      },
    },
  }))
  const status = async (): Promise<number> => (await away.call('GET', path, { as: 'ada' })).status
  expect([await status(), await status(), asked]).toEqual([500, 500, 1])
  away.clock.nowMs += 6_000
  expect([await status(), await status(), asked]).toEqual([200, 200, 2])
  await away.close()
})

describe('public models', () => {
  test('are served without a token, and caches may store them', async () => {
    const { status, headers, json } = await server.call('GET', '/api/v1/public/models', { secret: null })
    expect(status).toBe(200)
    expect(json).toEqual({ object: 'list', data: [exampleModel] })
    expect(headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=300')
    expect(headers.get('vary')).toBe('accept-encoding')
    expect(headers.get('set-cookie')).toBeNull()
    const known = { 'if-none-match': headers.get('etag')! }
    const again = await server.call('GET', '/api/v1/public/models', { secret: null, headers: known })
    expect(again.status).toBe(304)
    expect(again.text).toBe('')
  })

  test('are listed again once a minute, however often somebody asks', async () => {
    server.clock.nowMs += 61_000
    const before = listed
    for (let count = 0; count < 20; count++) await server.call('GET', publicPath, { secret: null })
    expect(listed).toBe(before + 1)
    server.clock.nowMs += 61_000
    await server.call('GET', publicPath, { secret: null })
    expect(listed).toBe(before + 2)
  })

  test('are the listed ones only, and no error response may be cached', async () => {
    const asked = async (query: string) => {
      const address = `/api/v1/public/models/providers${query}`
      const { status, headers, json } = await server.call('GET', address, { secret: null })
      return [status, json.error.param, headers.get('cache-control')]
    }
    expect(await asked(`?model=${hidden}`)).toEqual([404, 'model', 'no-store'])
    expect(await asked('?model=nothing')).toEqual([404, 'model', 'no-store'])
    expect(await asked('')).toEqual([400, 'model', 'no-store'])
    expect(await asked('?model=')).toEqual([400, 'model', 'no-store'])
    expect(await asked(`?model=${model}&key_id=key_1`)).toEqual([400, 'key_id', 'no-store'])
    expect(await asked(`?model=${model}&model=b`)).toEqual([400, 'model', 'no-store'])
    expect((await server.call('POST', '/api/v1/public/models', { secret: null })).status).toBe(405)
  })

  test('are 404 unless the operator has made them public', async () => {
    const closed = await startManagementServer()
    for (const one of ['/api/v1/public/models', publicPath])
      expect((await closed.call('GET', one, { secret: null })).status).toBe(404)
    expect((await closed.call('GET', path, { secret: null })).status).toBe(401)
    await closed.close()
  })
})
