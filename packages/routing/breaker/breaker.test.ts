import { describe, expect, it } from 'vitest'
import { Breaker, type BreakerRules } from './breaker.ts'

const rules: BreakerRules = {
  failures: 3,
  restMs: 1_000,
  longestBackoffMs: 8_000,
  longestRestMs: 60_000,
  probes: 2,
}
/** The middle of the range: no jitter. */
const made = (more: Partial<BreakerRules> = {}): Breaker => new Breaker({ ...rules, ...more }, () => 0.5)

describe('a circuit breaker', () => {
  it('opens after consecutive failures; a success resets the count', () => {
    const breaker = made()
    breaker.recordFailure('free', 1, 'x')
    breaker.recordFailure('free', 2, 'x')
    breaker.recordSuccess('free', 3)
    breaker.recordFailure('free', 4, 'x')
    breaker.recordFailure('free', 5, 'x')
    expect([breaker.state(6), breaker.failuresInARow]).toEqual(['closed', 2])
    breaker.recordFailure('free', 6, 'x')
    expect([breaker.state(6), breaker.tryAcquire(6), breaker.waitMs(6)]).toEqual(['open', 'refused', 1_000])
  })

  it('opens at once for the requested time, and works again after it', () => {
    const breaker = made()
    breaker.rest('free', 100, 'quota', 7_000)
    expect([breaker.waitMs(100), breaker.reason]).toEqual([7_000, 'quota'])
    expect([breaker.tryAcquire(7_099), breaker.tryAcquire(7_100)]).toEqual(['refused', 'probe'])
    breaker.recordSuccess('probe', 7_200)
    expect([breaker.state(7_200), breaker.tryAcquire(7_200), breaker.reason]).toEqual([
      'closed',
      'free',
      undefined,
    ])
  })

  it('limits how long a request can keep it open', () => {
    const breaker = made()
    breaker.rest('free', 0, 'quota', 86_400_000)
    expect(breaker.waitMs(0)).toBe(60_000)
  })

  it('doubles its cooldowns until a success, up to the longest', () => {
    const breaker = made()
    const waits: number[] = []
    let nowMs = 1
    breaker.rest('free', nowMs, 'x')
    for (let round = 0; round < 5; round++) {
      waits.push(breaker.waitMs(nowMs))
      nowMs += breaker.waitMs(nowMs)
      breaker.recordFailure(breaker.tryAcquire(nowMs), nowMs, 'x')
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 8_000])
    nowMs += breaker.waitMs(nowMs)
    breaker.recordSuccess(breaker.tryAcquire(nowMs), nowMs)
    breaker.rest('free', nowMs, 'x')
    expect(breaker.waitMs(nowMs)).toBe(1_000)
  })

  it('varies its cooldowns by up to a quarter at random', () => {
    const waits = [0, 0.999].map((random) => {
      const breaker = new Breaker(rules, () => random)
      breaker.rest('free', 0, 'x')
      return Math.round(breaker.waitMs(0))
    })
    expect(waits).toEqual([750, 1_250])
  })

  it('admits a limited number of probes at a time, and takes their permission back', () => {
    const breaker = made()
    breaker.rest('free', 0, 'x', 100)
    expect([breaker.tryAcquire(100), breaker.tryAcquire(100), breaker.tryAcquire(100)]).toEqual([
      'probe',
      'probe',
      'refused',
    ])
    expect(breaker.waitMs(100)).toBe(1_000)
    breaker.release('probe')
    expect([breaker.waitMs(100), breaker.state(100), breaker.tryAcquire(100)]).toEqual([
      0,
      'half-open',
      'probe',
    ])
  })

  it('treats many simultaneous rejections as one', () => {
    const breaker = made()
    for (let call = 0; call < 10; call++) breaker.rest('free', call, 'x')
    expect(breaker.waitMs(0)).toBe(1_000)
    breaker.rest('free', 10, 'x', 5_000)
    expect(breaker.waitMs(10)).toBe(5_000)
    breaker.rest('free', 11, 'x', 1_000)
    expect(breaker.waitMs(10)).toBe(5_000)
  })

  it('ignores the outcome of calls from before it opened', () => {
    const breaker = made()
    breaker.rest('free', 0, 'x', 1_000)
    breaker.recordSuccess('free', 500)
    expect(breaker.state(500)).toBe('open')
    breaker.recordSuccess('free', 1_500)
    breaker.recordFailure('free', 1_500, 'x')
    expect(breaker.state(1_500)).toBe('half-open')
  })

  it('stays open although a call from before succeeds later', () => {
    const breaker = made()
    breaker.rest('free', 0, 'x', 1_000)
    const [one, other] = [breaker.tryAcquire(1_000), breaker.tryAcquire(1_000)]
    breaker.rest(one, 1_100, 'x', 5_000)
    breaker.recordSuccess(other, 1_200)
    expect(breaker.waitMs(1_200)).toBe(4_900)
    expect([breaker.tryAcquire(6_100), breaker.tryAcquire(6_100), breaker.tryAcquire(6_100)]).toEqual([
      'probe',
      'probe',
      'refused',
    ])
  })

  it('restarts its backoff for another reason, and after a requested time', () => {
    const breaker = made()
    let nowMs = 0
    for (const [reason, retryAfterMs] of [['limit'], ['limit'], ['limit', 500], ['limit', 500]] as const) {
      breaker.rest(breaker.tryAcquire(nowMs), nowMs, reason, retryAfterMs)
      nowMs += breaker.waitMs(nowMs)
    }
    breaker.recordFailure(breaker.tryAcquire(nowMs), nowMs, 'failing')
    expect(breaker.waitMs(nowMs)).toBe(1_000)
    nowMs += 1_000
    breaker.recordFailure(breaker.tryAcquire(nowMs), nowMs, 'failing')
    expect(breaker.waitMs(nowMs)).toBe(2_000)
  })

  it('admits an early probe, whose outcome ends the cooldown or extends it', () => {
    const breaker = made()
    expect(breaker.tryAcquireEarly(0)).toBe('free')
    breaker.rest('free', 1, 'x', 30_000)
    // This does not make the cooldown longer.
    breaker.rest(breaker.tryAcquireEarly(2), 2, 'x')
    expect([breaker.state(2), breaker.waitMs(2)]).toEqual(['open', 1_000])
    breaker.rest('free', 3, 'x', 30_000)
    breaker.recordSuccess(breaker.tryAcquireEarly(1_002), 1_002)
    expect([breaker.state(1_002), breaker.tryAcquire(1_002)]).toEqual(['closed', 'free'])
  })

  it('admits few early probes, one at a time and less and less often', () => {
    const breaker = made()
    breaker.rest('free', 1, 'x', 60_000)
    const tried: number[] = []
    for (let nowMs = 1; nowMs < 120_000; nowMs += 100) {
      if (breaker.tryAcquireEarly(nowMs) === 'refused') continue
      tried.push(nowMs)
      breaker.rest('probe', nowMs, 'x', 60_000)
    }
    const pauses = tried.slice(1).map((ms, index) => Math.round((ms - tried[index]!) / 1_000))
    expect(pauses).toEqual([0, 0, 0, 1, 2, 4, 8, 16, 30, 30])
    breaker.recordSuccess(breaker.tryAcquireEarly(150_000), 150_000)
    breaker.rest('free', 150_001, 'x', 60_000)
    expect(breaker.tryAcquireEarly(150_001)).toBe('probe')
  })
})
