import { GatewayError, type ErrorType, type UpstreamReason } from '@turnpike/protocol'
import { Breaker, type BreakerRules } from '@turnpike/routing'
import type { Provider } from '@turnpike/vendors'
import { describe, expect, it } from 'vitest'
import { UpstreamFailure } from '../client.ts'
import { HealthBook } from './health-book.ts'
import { UpstreamHealth, type KeyHealth, type RestReason } from './upstream-health.ts'

const rules: BreakerRules = {
  failures: 2,
  restMs: 1_000,
  longestBackoffMs: 60_000,
  longestRestMs: 60_000,
  probes: 1,
}
const breaker = (): Breaker<RestReason> => new Breaker<RestReason>(rules, () => 0.5)

function twoOfOneKey(): [UpstreamHealth, UpstreamHealth] {
  const key: KeyHealth = { provider: 'p', key: 1, breaker: breaker() }
  return [new UpstreamHealth('a', key, breaker()), new UpstreamHealth('b', key, breaker())]
}

function fail(health: UpstreamHealth, type: ErrorType, reason?: UpstreamReason): void {
  const error = new GatewayError(type, 'x', reason === undefined ? {} : { reason })
  health.failed(health.enter(1)!, 1, error, 'failed')
}

describe('how an upstream does with a key', () => {
  it.each<[ErrorType, UpstreamReason, boolean, boolean]>([
    ['rate_limit_error', 'rate-limited', true, false],
    ['service_unavailable', 'overloaded', true, false],
    ['upstream_error', 'not-permitted', true, false],
    ['service_unavailable', 'out-of-quota', true, true],
    ['upstream_error', 'key-refused', true, true],
  ])('%s, %s: rests itself (%s), and what else has its key (%s)', (type, reason, own, others) => {
    const [one, other] = twoOfOneKey()
    fail(one, type, reason)
    expect([one.enter(1) === undefined, other.enter(1) === undefined]).toEqual([own, others])
    expect(one.restReason).toBe(reason)
  })

  it('rests after failures in a row, each for itself', () => {
    const [one, other] = twoOfOneKey()
    fail(one, 'upstream_error')
    fail(other, 'upstream_timeout')
    expect([one.state(1), other.state(1)]).toEqual(['closed', 'closed'])
    fail(one, 'service_unavailable')
    expect([one.state(1), one.restReason, other.state(1)]).toEqual(['resting', 'failing', 'closed'])
  })

  it('rests at once where the vendor says for how long, and not for a wait that is ours', () => {
    const down = (cause?: Error) =>
      new GatewayError('service_unavailable', 'x', { retryAfterSeconds: 30, cause })
    const [one, other] = twoOfOneKey()
    one.failed(one.enter(1)!, 1, down(), 'status-503')
    expect([one.waitMs(1), one.restReason]).toEqual([30_000, 'failing'])
    other.failed(other.enter(1)!, 1, down(new UpstreamFailure('connect-failed', 'x')), 'connect-failed')
    expect(other.state(1)).toBe('closed')
  })

  it('counts answers that break off; only a whole one ends the row', () => {
    const [one] = twoOfOneKey()
    for (let call = 0; call < 2; call++) {
      one.answered(one.enter(1)!, 1, 5, true)
      one.brokeOff(1, 'connection-lost')
    }
    expect(one.state(1)).toBe('resting')
    const [other] = twoOfOneKey()
    for (let call = 0; call < 4; call++) {
      other.answered(other.enter(1)!, 1, 5, true)
      if (call % 2 === 0) other.brokeOff(1, 'connection-lost')
      else other.finished(1)
    }
    expect(other.state(1)).toBe('closed')
  })

  it('counts time-outs of one moment once, and goes on counting where they go on', () => {
    const timeOut = (health: UpstreamHealth, nowMs: number): void =>
      health.failed(health.enter(nowMs)!, nowMs, new GatewayError('upstream_timeout', 'x'), 'idle-timeout')
    const [one, other] = twoOfOneKey()
    for (const nowMs of [1, 1, 2, 60]) timeOut(one, nowMs)
    one.brokeOff(70, 'total-timeout')
    expect([one.state(70), one.failuresInARow, one.failures]).toEqual(['closed', 1, 5])
    for (const nowMs of [1, 90]) timeOut(other, nowMs)
    other.brokeOff(101, 'idle-timeout')
    expect(other.state(101)).toBe('resting')
  })

  it('learns nothing from what a caller did wrong, or from one that left', () => {
    const [one] = twoOfOneKey()
    for (let call = 0; call < 5; call++) {
      fail(one, 'invalid_request_error')
      fail(one, 'client_closed_request')
      one.left(one.enter(1)!)
    }
    expect([one.state(1), one.failures, one.lastFailure]).toEqual(['closed', 0, undefined])
  })

  it('gives both permissions back, of itself and of its key', () => {
    const [one, other] = twoOfOneKey()
    fail(one, 'rate_limit_error', 'rate-limited')
    fail(other, 'upstream_error', 'key-refused')
    const laterMs = 5_000
    const leave = one.enter(laterMs)!
    expect(leave).toEqual({ own: 'probe', ofKey: 'probe' })
    // Its key is being tried already: the other one waits, and takes nothing with it.
    expect(other.enter(laterMs)).toBeUndefined()
    one.left(leave)
    expect(other.enter(laterMs)).toEqual({ own: 'free', ofKey: 'probe' })
  })

  it('takes nothing of its key while it rests itself', () => {
    const [one, other] = twoOfOneKey()
    fail(other, 'upstream_error', 'key-refused')
    const later = new GatewayError('rate_limit_error', 'x', { reason: 'rate-limited', retryAfterSeconds: 30 })
    one.failed({ own: 'free', ofKey: 'free' }, 1, later, 'failed')
    expect(one.enter(5_000)).toBeUndefined()
    expect(other.enter(5_000)).toEqual({ own: 'free', ofKey: 'probe' })
  })

  it('says how soon it answers, streams and plain answers apart', () => {
    const [one] = twoOfOneKey()
    one.answered(one.enter(1)!, 1, 100, true)
    one.answered(one.enter(1)!, 1, 900, false)
    expect([one.latency.stream.averageMs, one.latency.plain.averageMs]).toEqual([100, 900])
  })
})

describe('the book of them', () => {
  const provider = { name: 'p', style: 'openai' } as Provider
  const of = (book: HealthBook, model: string, versionOf?: string): UpstreamHealth =>
    book.of(provider, { provider: 'p', model, ...(versionOf === undefined ? {} : { versionOf }) }, 1)

  it('has one entry a model and key, and lists those that were asked', () => {
    const book = new HealthBook(rules)
    const one = of(book, 'm')
    expect(of(book, 'm-2024-08-06', 'm')).toBe(one)
    expect(of(book, 'n')).not.toBe(one)
    expect(of(book, 'n').ofKey).toBe(one.ofKey)
    expect(book.all()).toEqual([])
    one.answered(one.enter(1)!, 1, 5, true)
    expect(book.all()).toEqual([one])
  })

  it.each([
    ['nothing rests without rules', undefined, 'openai'],
    ['the sandbox never rests', rules, 'sandbox'],
  ] as const)('%s', (_what, given, style) => {
    const health = new HealthBook(given).of({ ...provider, style }, { provider: 'p', model: 'm' }, null)
    for (let call = 0; call < 9; call++) fail(health, 'rate_limit_error', 'rate-limited')
    expect([health.state(1), health.waitMs(1), health.failures]).toEqual(['closed', 0, 9])
  })
})
