import { describe, expect, it } from 'vitest'
import type { BreakerRules } from './breaker.ts'
import { FairBreaker, freely } from './fair-breaker.ts'

const rules: BreakerRules = {
  failures: 3,
  restMs: 1_000,
  longestBackoffMs: 60_000,
  longestRestMs: 60_000,
  probes: 1,
}
const made = (): FairBreaker => new FairBreaker(rules, () => 0.5)

function fail(breaker: FairBreaker, caller: string, nowMs = 1): void {
  breaker.recordFailure(breaker.tryAcquire(nowMs, caller) ?? freely, nowMs, 'failing', caller)
}

describe('a fair breaker', () => {
  it('acts like a plain breaker for its only caller: it doubles, probes, and closes after a success', () => {
    const breaker = made()
    for (let call = 0; call < 3; call++) fail(breaker, 'a')
    expect([breaker.state(1, 'a'), breaker.waitMs(1, 'a')]).toEqual(['open', 1_000])
    fail(breaker, 'a', 1_001)
    expect([breaker.state(1_001, 'a'), breaker.waitMs(1_001, 'a')]).toEqual(['open', 2_000])
    const probe = breaker.tryAcquire(3_001, 'a')!
    expect([probe.own, breaker.tryAcquire(3_001, 'a')]).toEqual(['probe', undefined])
    breaker.recordSuccess(probe, 3_002, 'a')
    expect([breaker.state(3_002), breaker.reason(), breaker.tryAcquire(3_002, 'a')]).toEqual([
      'closed',
      undefined,
      freely,
    ])
  })

  it('opens for all callers after three consecutive failures of three callers', () => {
    const breaker = made()
    for (const caller of ['a', 'b', 'a', 'b']) fail(breaker, caller)
    expect(breaker.state(1, 'd')).toBe('closed')
    fail(breaker, 'c')
    expect([breaker.state(1, 'd'), breaker.waitMs(1, 'd')]).toEqual(['open', 1_000])
    const probe = breaker.tryAcquire(1_001, 'd')!
    expect([probe.all, breaker.tryAcquire(1_001, 'e')]).toEqual(['probe', undefined])
    breaker.recordSuccess(probe, 1_002, 'd')
    expect(breaker.tryAcquire(1_002, 'e')).toBe(freely)
  })

  it('opens for all callers at once if no single caller can be the cause', () => {
    const breaker = made()
    breaker.rest(freely, 1, 'limited', 'a', { retryAfterMs: 5_000, forAll: true })
    expect([breaker.tryAcquire(1, 'b'), breaker.waitMs(1, 'b'), breaker.openCallers(1)]).toEqual([
      undefined,
      5_000,
      0,
    ])
  })

  it('closes for a fixed cause, and for no other', () => {
    const breaker = made()
    const rest = (reason: string, caller: string, forAll: boolean): void =>
      breaker.rest(freely, 1, reason, caller, { retryAfterMs: 5_000, forAll })
    rest('key-refused', 'a', true)
    rest('limited', 'b', false)
    breaker.forgive('limited')
    expect([breaker.state(1, 'a'), breaker.reason('a')]).toEqual(['open', 'key-refused'])
    breaker.forgive('key-refused')
    expect([breaker.tryAcquire(1, 'a'), breaker.state(1, 'b'), breaker.failuresInARow]).toEqual([
      freely,
      'closed',
      0,
    ])
    // The next cooldown is as short as a first one, and an earlier probe does not affect it.
    breaker.rest(freely, 2, 'key-refused', 'a', { forAll: true })
    expect(breaker.waitMs(2, 'a')).toBe(1_000)
    const probe = breaker.tryAcquire(1_002, 'a')!
    breaker.forgive('key-refused')
    breaker.release(probe)
    expect(breaker.tryAcquire(1_003, 'a')).toBe(freely)
  })

  it('returns each permission once, whatever happened to the caller meanwhile', () => {
    const breaker = made()
    for (let call = 0; call < 3; call++) fail(breaker, 'a')
    const probe = breaker.tryAcquire(1_001, 'a')!
    for (let other = 0; other < 1_100; other++) fail(breaker, `other ${other}`, 1_001)
    breaker.release(probe)
    for (let call = 0; call < 3; call++) {
      const again = breaker.tryAcquire(5_000, 'a')
      if (again !== undefined) breaker.release(again)
    }
    expect(breaker.state(90_000, 'a')).not.toBe('open')
  })

  it('forgets callers beyond a thousand, the oldest first', () => {
    const breaker = made()
    for (let caller = 0; caller < 5_000; caller++)
      breaker.rest(freely, 1, 'limited', `caller ${caller}`, { retryAfterMs: 30_000 })
    expect(breaker.openCallers(1)).toBe(1_000)
  })
})
