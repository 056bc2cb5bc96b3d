import { compilePricing } from '@turnpike/billing'
import {
  AutoRouter,
  CandidateBook,
  HealthBook,
  keyCredentials,
  type CalibrationMode,
} from '@turnpike/gateway'
import { profileDeltas } from '@turnpike/routing'
import { Catalog, type CatalogModel, type Provider } from '@turnpike/vendors'
import { describe, expect, it } from 'vitest'
import { nowMs, suiteManagementServer } from '../testing/management-server.ts'

const prices = new Map(
  [
    ['vendor/small', '0.000001'],
    ['vendor/large', '0.00001'],
  ].map(([id, price]) => [id!, compilePricing({ prompt: price!, completion: price! }, '1.0')]),
)

function model(id: string, tier: string): CatalogModel {
  return {
    id,
    operations: ['generate'],
    tiers: [tier],
    contextLength: 100_000,
    maxOutputTokens: 8_000,
    modalities: { input: ['text'], output: ['text'] },
    supportedParameters: [],
    upstreams: [{ provider: 'vendor', model: id }],
    fallbacks: [],
  } as unknown as CatalogModel
}

function router(calibration: CalibrationMode): AutoRouter {
  const auto = new AutoRouter(
    { tiers: {}, deltas: profileDeltas, baselineModel: null, calibration },
    () => true,
  )
  const catalog = new Catalog([model('vendor/small', 'SIMPLE'), model('vendor/large', 'COMPLEX')])
  const vendor = { name: 'vendor', apiKeys: [] as string[], format: 'openai-chat' } as unknown as Provider
  const health = new HealthBook(undefined)
  const providers = new Map([['vendor', vendor]])
  const credentials = keyCredentials([vendor])
  auto.use(catalog, new CandidateBook({ prices, providers, credentials, markup: '1.0', health }))
  return auto
}

const says = { role: 'user', content: [{ kind: 'text', text: 'hi' }] }
const path = '/api/v1/route'
const body = { messages: [{ role: 'user', content: 'hi' }] }
const as = 'somebody'
let auto = router('off')

const server = await suiteManagementServer({
  routing: { route: (asked) => auto.route(asked), requireModel: (name) => name },
})

/** Records this many rejected answers of the account. */
async function sendBack(count: number): Promise<void> {
  const { id: accountId } = (await server.call('GET', '/api/v1/me', { as })).json
  for (let index = 0; index < count; index++) {
    const route = auto.route({
      profile: 'auto',
      request: { messages: [says], tools: [], extensions: {}, choices: 1 } as never,
      format: 'openai-chat',
      bodyBytes: 100,
      accountId,
      keyId: `key_${index}`,
      mayUse: () => true,
      retryOf: undefined,
      nowMs,
    })
    const requestId = `req_${index}`
    auto.recordAnswer(route, { requestId, model: 'vendor/small', completed: true, nowMs })
    auto.recordRequest(route, requestId, nowMs)
  }
}

describe('POST /api/v1/route', () => {
  it('explains what would be chosen, and why', async () => {
    auto = router('off')
    const { status, json } = await server.call('POST', path, { as, body })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      object: 'route',
      model: 'vendor/small',
      tier: 'SIMPLE',
      scored_tier: 'SIMPLE',
      calibration: 'off',
      calibrated_tier: null,
      correction: null,
      runner_up: 'vendor/large',
    })
  })

  it.each([
    ['shadow', 'vendor/small', []],
    ['on', 'vendor/large', [expect.stringMatching(/^this account's outcomes change it to \w+$/)]],
  ] as const)("shows what the account's outcomes make of it (%s)", async (mode, chosen, because) => {
    auto = router(mode)
    await sendBack(40)
    const { json } = await server.call('POST', path, { as, body })
    expect(json).toMatchObject({ model: chosen, scored_tier: 'SIMPLE', calibration: mode })
    expect(json['calibrated_tier']).not.toBe('SIMPLE')
    expect(json['correction']).toMatchObject({ SIMPLE: -1, REASONING: 0 })
    if (mode === 'shadow') expect(json['because']).toEqual(because)
    else expect((json['because'] as string[])[0]).toEqual(because[0])
  })

  it('is 400 for another model, or if no model can handle the request', async () => {
    const named = await server.call('POST', path, { as, body: { ...body, model: 'vendor/small' } })
    expect([named.status, named.json.error.param]).toEqual([400, 'model'])
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
    const seeing = { messages: [{ role: 'user', content: [image] }] }
    const { status, json } = await server.call('POST', path, { as, body: seeing })
    expect([status, json.error.message]).toEqual([400, expect.stringMatching(/does not accept image/)])
  })
})
