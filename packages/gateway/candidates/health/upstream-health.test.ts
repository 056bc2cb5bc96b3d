import { GatewayError, type ErrorType, type UpstreamReason } from '@turnpike/protocol'
import { FairBreaker, freely, type BreakerRules } from '@turnpike/routing'
import type { Provider } from '@turnpike/vendors'
import { describe, expect, it } from 'vitest'
import { UpstreamFailure } from '../../upstream/client.ts'
import { HealthBook } from './health-book.ts'
import { UpstreamHealth, type KeyHealth, type RestReason } from './upstream-health.ts'

const rules: BreakerRules = {
  failures: 2,
  restMs: 1_000,
  longestBackoffMs: 60_000,
  longestRestMs: 60_000,
  probes: 1,
}
const breaker = (): FairBreaker<RestReason> => new FairBreaker<RestReason>(rules, () => 0.5)
const accountId = 'a'

function twoOfOneKey(): [UpstreamHealth, UpstreamHealth] {
  const key: KeyHealth = { provider: 'p', key: 1, breaker: breaker() }
  return [new UpstreamHealth('a', key, breaker()), new UpstreamHealth('b', key, breaker())]
}

function fail(health: UpstreamHealth, type: ErrorType, reason?: UpstreamReason, account = accountId): void {
  const error = new GatewayError(type, 'x', reason === undefined ? {} : { reason, mayBeOwn: true })
  failWith(health, error, 'failed', 1, account)
}

function failWith(
  health: UpstreamHealth,
  error: GatewayError,
  result: string,
  nowMs = 1,
  account = accountId,
): void {
  health.recordFailure(health.tryAcquire(nowMs, account)!, error, { nowMs, result, accountId: account })
}

function answer(health: UpstreamHealth, { tookMs = 5, streamed = true, account = accountId } = {}): void {
  const permit = health.tryAcquire(1, account)!
  health.recordAnswer(permit, { nowMs: 1, tookMs, streamed, accountId: account })
}

describe('the health of an upstream with one key', () => {
  it.each<[ErrorType, UpstreamReason, boolean, boolean]>([
    ['rate_limit_error', 'rate-limited', true, false],
    ['service_unavailable', 'overloaded', true, false],
    ['upstream_error', 'not-permitted', true, false],
    ['service_unavailable', 'out-of-quota', true, true],
    ['upstream_error', 'key-refused', true, true],
  ])('%s, %s: cools down itself (%s), and everything else with its key (%s)', (type, reason, own, others) => {
    const [one, other] = twoOfOneKey()
    fail(one, type, reason)
    expect([
      one.tryAcquire(1, accountId) === undefined,
      other.tryAcquire(1, accountId) === undefined,
    ]).toEqual([own, others])
    expect(one.restReason()).toBe(reason)
  })

  it('starts a cooldown after consecutive failures, for each upstream separately', () => {
    const [one, other] = twoOfOneKey()
    fail(one, 'upstream_error')
    fail(other, 'upstream_timeout')
    expect([one.state(1), other.state(1)]).toEqual(['closed', 'closed'])
    fail(one, 'service_unavailable')
    expect([one.state(1), one.restReason(), other.state(1)]).toEqual(['open', 'failing', 'closed'])
  })

  it('starts a cooldown at once if the vendor names its length, not for a wait that we chose', () => {
    const down = (cause?: Error) =>
      new GatewayError('service_unavailable', 'x', { retryAfterSeconds: 30, cause })
    const [one, other] = twoOfOneKey()
    failWith(one, down(), 'status-503')
    expect([one.waitMs(1), one.restReason()]).toEqual([30_000, 'failing'])
    failWith(other, down(new UpstreamFailure('connect-failed', 'x')), 'connect-failed')
    expect(other.state(1)).toBe('closed')
  })

  it('counts answers that break off, and only a complete answer resets the count', () => {
    const [one] = twoOfOneKey()
    for (let call = 0; call < 2; call++) {
      answer(one)
      one.recordBreakOff(1, 'connection-lost', accountId)
    }
    expect(one.state(1)).toBe('open')
    const [other] = twoOfOneKey()
    for (let call = 0; call < 4; call++) {
      answer(other)
      if (call % 2 === 0) other.recordBreakOff(1, 'connection-lost', accountId)
      else other.recordCompletion(1, accountId)
    }
    expect(other.state(1)).toBe('closed')
  })

  it('counts simultaneous timeouts once, and counts later ones again', () => {
    const timeOut = (health: UpstreamHealth, nowMs: number): void =>
      failWith(health, new GatewayError('upstream_timeout', 'x'), 'idle-timeout', nowMs)
    const [one, other] = twoOfOneKey()
    for (const nowMs of [1, 1, 2, 60]) timeOut(one, nowMs)
    one.recordBreakOff(70, 'total-timeout', accountId)
    expect([one.state(70), one.failuresInARow, one.failures]).toEqual(['closed', 1, 5])
    for (const nowMs of [1, 90]) timeOut(other, nowMs)
    other.recordBreakOff(101, 'idle-timeout', accountId)
    expect(other.state(101)).toBe('open')
  })

  it('ignores callers’ mistakes and clients that left', () => {
    const [one] = twoOfOneKey()
    for (let call = 0; call < 5; call++) {
      fail(one, 'invalid_request_error')
      fail(one, 'client_closed_request')
      one.release(one.tryAcquire(1, accountId)!)
    }
    expect([one.state(1), one.failures, one.lastFailure]).toEqual(['closed', 0, undefined])
  })

  it('considers the key valid once the vendor rejects the request itself', () => {
    const [one, other] = twoOfOneKey()
    fail(one, 'upstream_error', 'key-refused')
    const permit = one.tryAcquireRefused(2, accountId)!
    const missing = new GatewayError('not_found_error', 'x')
    one.recordFailure(permit, missing, { nowMs: 2, result: 'status-404', accountId })
    expect([other.state(2, accountId), one.waitMs(2, accountId)]).toEqual(['closed', 0])
  })

  it('cools down for a second after a failure, whatever limits it was at before', () => {
    const [one] = twoOfOneKey()
    let nowMs = 1
    for (let call = 0; call < 3; call++) {
      const limit = new GatewayError('rate_limit_error', 'x', { reason: 'rate-limited' })
      failWith(one, limit, 'status-429', nowMs)
      nowMs += one.waitMs(nowMs, accountId)
    }
    failWith(one, new GatewayError('upstream_error', 'x'), 'status-500', nowMs)
    expect(one.waitMs(nowMs, accountId)).toBe(1_000)
  })

  it('returns both permits, its own and its key’s', () => {
    const [one, other] = twoOfOneKey()
    fail(one, 'rate_limit_error', 'rate-limited')
    fail(other, 'upstream_error', 'key-refused')
    const laterMs = 5_000
    const permit = one.tryAcquire(laterMs, accountId)!
    expect([permit.own.own, permit.ofKey.all]).toEqual(['probe', 'probe'])
    // Another probe already uses its key: this one gets no permit, and keeps none.
    expect(other.tryAcquire(laterMs, accountId)).toBeUndefined()
    one.release(permit)
    expect(other.tryAcquire(laterMs, accountId)).toMatchObject({ own: freely, ofKey: { all: 'probe' } })
  })

  it('takes no permit from its key while it is in cooldown itself', () => {
    const [one, other] = twoOfOneKey()
    fail(other, 'upstream_error', 'key-refused')
    const later = new GatewayError('rate_limit_error', 'x', { reason: 'rate-limited', retryAfterSeconds: 30 })
    one.recordFailure({ own: freely, ofKey: freely }, later, { nowMs: 1, result: 'failed', accountId })
    expect(one.tryAcquire(5_000, accountId)).toBeUndefined()
    expect(other.tryAcquire(5_000, accountId)).toMatchObject({ own: freely, ofKey: { all: 'probe' } })
  })

  it('reports latency separately for streams and plain answers', () => {
    const [one] = twoOfOneKey()
    answer(one, { tookMs: 100 })
    answer(one, { tookMs: 900, streamed: false })
    expect([one.latency.stream.averageMs, one.latency.plain.averageMs]).toEqual([100, 900])
  })
})

describe('a failure that one account alone causes', () => {
  it.each<[ErrorType, UpstreamReason | undefined]>([
    ['rate_limit_error', 'rate-limited'],
    ['service_unavailable', 'overloaded'],
    ['upstream_error', 'not-permitted'],
    ['service_unavailable', 'out-of-quota'],
    ['upstream_error', undefined],
    ['upstream_timeout', undefined],
  ])('%s, %s: affects no other account until a third one sees the same failure', (type, reason) => {
    const [one] = twoOfOneKey()
    for (const account of ['a', 'b']) {
      for (let call = 0; call < 2; call++)
        if (one.state(1, account) === 'closed') fail(one, type, reason, account)
      expect([one.state(1, account), one.tryAcquire(1, account)]).toEqual(['open', undefined])
      expect(one.state(1, 'bystander')).toBe('closed')
    }
    expect([one.restingAccounts(1), one.state(1)]).toEqual([2, 'open'])
    fail(one, type, reason, 'c')
    expect([one.state(1, 'bystander'), one.tryAcquire(1, 'bystander')]).toEqual(['open', undefined])
    expect(one.restReason('bystander')).toBe(reason ?? 'failing')
  })

  it.each<[ErrorType, UpstreamReason]>([
    ['rate_limit_error', 'rate-limited'],
    ['upstream_error', 'key-refused'],
  ])('%s, %s: affects all accounts if that account cannot be the cause', (type, reason) => {
    const [one] = twoOfOneKey()
    failWith(one, new GatewayError(type, 'x', { reason }), 'failed')
    expect([one.state(1, 'bystander'), one.restingAccounts(1)]).toEqual(['open', 0])
  })

  it('does not count if that account’s request is too large', () => {
    const [one] = twoOfOneKey()
    for (let call = 0; call < 9; call++) fail(one, 'rate_limit_error', 'request-too-large')
    expect([one.state(1), one.failures, one.lastFailure]).toEqual(['closed', 0, undefined])
  })

  it('leaves other accounts served between, and their single failures start no cooldown', () => {
    const [one] = twoOfOneKey()
    for (let call = 0; call < 9; call++) {
      if (one.state(1, 'poison') === 'closed') fail(one, 'upstream_error', undefined, 'poison')
      answer(one, { account: 'good' })
      one.recordCompletion(1, 'good')
      fail(one, 'upstream_error', undefined, 'other')
      one.recordCompletion(1, 'other')
      expect([one.state(1, 'good'), one.state(1, 'other')]).toEqual(['closed', 'closed'])
    }
    expect(one.state(1, 'poison')).toBe('open')
  })
})

describe('the health book', () => {
  const provider = { name: 'p', style: 'openai' } as Provider
  const of = (book: HealthBook, model: string, versionOf?: string): UpstreamHealth =>
    book.of(
      provider,
      { provider: 'p', model, ...(versionOf === undefined ? {} : { versionOf }) },
      { number: 1 },
    )

  it('has one entry per model and key, and lists those that were called', () => {
    const book = new HealthBook(rules)
    const one = of(book, 'm')
    expect(of(book, 'm-2024-08-06', 'm')).toBe(one)
    expect(of(book, 'n')).not.toBe(one)
    expect(of(book, 'n').ofKey).toBe(one.ofKey)
    expect(book.all()).toEqual([])
    answer(one)
    expect(book.all()).toEqual([one])
  })

  it('calls an upstream again at once if its rejected credential was renewed', () => {
    const renewals: (() => void)[] = []
    const token = { number: 1, onRenewed: (listener: () => void) => void renewals.push(listener) }
    const book = new HealthBook(rules)
    const [one, other] = ['m', 'n'].map((model) => book.of(provider, { provider: 'p', model }, token))
    fail(one!, 'upstream_error', 'key-refused')
    expect(other!.tryAcquire(1, accountId)).toBeUndefined()
    expect(renewals).toHaveLength(1)
    renewals[0]!()
    expect([one!.state(1, accountId), other!.waitMs(1)]).toEqual(['closed', 0])
    // Renewing the credential does not refill an empty account.
    fail(one!, 'service_unavailable', 'out-of-quota')
    renewals[0]!()
    expect(one!.state(1, accountId)).toBe('open')
  })

  it.each([
    ['never starts a cooldown without rules', undefined, 'openai'],
    ['never starts a cooldown for the sandbox', rules, 'sandbox'],
  ] as const)('%s', (_what, breakerRules, style) => {
    const health = new HealthBook(breakerRules).of(
      { ...provider, style },
      { provider: 'p', model: 'm' },
      { number: null },
    )
    for (let call = 0; call < 9; call++) fail(health, 'rate_limit_error', 'rate-limited')
    expect([health.state(1), health.waitMs(1), health.failures]).toEqual(['closed', 0, 9])
  })
})
