import { UpstreamHealth, type ProviderCredential, type RestReason } from '@turnpike/gateway'
import { GatewayError } from '@turnpike/protocol'
import { FairBreaker } from '@turnpike/routing'
import { expect, test } from 'vitest'
import { suiteManagementServer } from '../testing/management-server.ts'

const path = '/api/v1/admin/upstreams'
const rules = { failures: 2, restMs: 50_000, longestBackoffMs: 60_000, longestRestMs: 90_000, probes: 1 }
const made = (): FairBreaker<RestReason> => new FairBreaker<RestReason>(rules, () => 0.5)

const failing = new UpstreamHealth('o4', { provider: 'other', key: null, breaker: made() }, made())
const ofKey = { provider: 'openai', key: 1, breaker: made() }
const works = new UpstreamHealth('gpt-5-mini', ofKey, made())
const limited = new UpstreamHealth('gpt-5', ofKey, made())
const refused = new UpstreamHealth('claude', { provider: 'claude', key: null, breaker: made() }, made())

const token: ProviderCredential = {
  provider: 'cloud',
  number: 1,
  kind: 'token',
  source: 'by hand',
  state: 'failing',
  expiresInSeconds: 120,
  failure: 'no answer',
  hint: 'look at the network',
}

const server = await suiteManagementServer({
  upstreams: { all: () => [works, limited, refused, failing], credentials: () => [token] },
})
const nowMs = performance.now()
const accountId = 'a'
works.recordAnswer(works.tryAcquire(nowMs, accountId)!, { nowMs, tookMs: 420.4, streamed: true, accountId })
const slower = new GatewayError('rate_limit_error', 'x', {
  reason: 'rate-limited',
  retryAfterSeconds: 80,
  mayBeOwn: true,
})
const failureWith = (status: number) => ({ nowMs, result: `status-${status}`, accountId })
limited.recordFailure(limited.tryAcquire(nowMs, accountId)!, slower, failureWith(429))
const away = new GatewayError('service_unavailable', 'x')
failing.recordFailure(failing.tryAcquire(nowMs, accountId)!, away, failureWith(500))
const bad = new GatewayError('upstream_error', 'x', { reason: 'key-refused' })
refused.recordFailure(refused.tryAcquire(nowMs, accountId)!, bad, failureWith(401))

test('shows what this node knows about its upstreams', async () => {
  const { status, json } = await server.call('GET', path)
  expect(status).toBe(200)
  expect(json.data).toMatchObject([
    { provider: 'openai', model: 'gpt-5-mini', key: 1, state: 'working', reason: null, first_token_ms: 420 },
    {
      model: 'gpt-5',
      state: 'resting',
      reason: 'rate-limited',
      resting_accounts: 1,
      failures: 1,
      last_failure: { result: 'status-429' },
    },
    { provider: 'claude', key: null, state: 'resting', reason: 'key-refused', answers: 0, answer_ms: null },
    { provider: 'other', state: 'failing', answers: 0, failures: 1 },
  ])
  expect(json).toMatchObject({
    credentials: [{ provider: 'cloud', key: 1, kind: 'token', state: 'failing', expires_in_seconds: 120 }],
  })
  expect(json.data[0]).toMatchObject({ rests_for_seconds: 0, answers: 1, failures: 0, last_failure: null })
  expect(json.data[1]?.rests_for_seconds).toBeGreaterThan(70)
})

test.each([
  ['GET', path, { secret: 'a wrong secret' }, 401],
  ['POST', path, {}, 405],
] as const)('%s %s with %j is %d', async (method, at, options, status) => {
  expect((await server.call(method, at, options)).status).toBe(status)
})
