import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Breaker, type BreakerRules, type Permission } from './breaker.ts'

const seed = Date.now() % 2 ** 31

type Step =
  | { do: 'wait'; ms: number }
  | { do: 'enter' }
  | { do: 'succeeded' | 'failed' | 'giveBack' | 'rest'; which: number; retryAfterMs: number | undefined }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 20_000 }) }),
  fc.record({ do: fc.constant('enter' as const) }),
  fc.record({
    do: fc.constantFrom('succeeded' as const, 'failed' as const, 'giveBack' as const, 'rest' as const),
    which: fc.nat(),
    retryAfterMs: fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: undefined }),
  }),
)

const rulesOf = fc.record({
  failures: fc.integer({ min: 1, max: 5 }),
  restMs: fc.integer({ min: 1, max: 5_000 }),
  longestBackoffMs: fc.integer({ min: 1, max: 60_000 }),
  longestRestMs: fc.integer({ min: 1, max: 90_000 }),
  probes: fc.integer({ min: 1, max: 4 }),
})

/** Drives a breaker as requests would, and checks its invariants after each step. */
class Drive {
  nowMs = 1
  readonly breaker: Breaker
  readonly #rules: BreakerRules
  #underWay: Permission[] = []

  constructor(rules: BreakerRules, random: () => number) {
    this.#rules = rules
    this.breaker = new Breaker(rules, random)
  }

  take(one: Step): void {
    if (one.do === 'wait') this.nowMs += one.ms
    else if (one.do === 'enter') this.#enter()
    else this.#end(one)
    this.#check()
  }

  /** Waits as long as the breaker says; then it must admit a request. */
  recover(): void {
    for (const permission of this.#underWay) this.breaker.release(permission)
    this.#underWay = []
    // The sum of two floats may fall short of the moment by a rounding error.
    this.nowMs += this.breaker.waitMs(this.nowMs) + 1e-6
    const permission = this.breaker.tryAcquire(this.nowMs)
    expect(permission).not.toBe('refused')
    this.breaker.recordSuccess(permission, this.nowMs)
    expect([this.breaker.state(this.nowMs), this.breaker.waitMs(this.nowMs)]).toEqual(['closed', 0])
  }

  #enter(): void {
    const waitMs = this.breaker.waitMs(this.nowMs)
    const state = this.breaker.state(this.nowMs)
    const permission = this.breaker.tryAcquire(this.nowMs)
    expect(permission === 'refused').toBe(waitMs > 0)
    expect(permission === 'free').toBe(state === 'closed')
    if (permission !== 'refused') this.#underWay.push(permission)
  }

  #end(one: Extract<Step, { which: number }>): void {
    const permission = this.#underWay.splice(one.which % Math.max(1, this.#underWay.length), 1)[0]
    if (permission === undefined) return
    const before = this.breaker.state(this.nowMs)
    if (one.do === 'rest') {
      this.breaker.rest(permission, this.nowMs, 'x', one.retryAfterMs)
      const retryAfterMs = Math.min(one.retryAfterMs ?? 0, this.#rules.longestRestMs)
      expect(this.breaker.state(this.nowMs)).toBe('open')
      expect(this.breaker.waitMs(this.nowMs)).toBeGreaterThanOrEqual(retryAfterMs - 1e-6)
    } else if (one.do === 'giveBack') {
      this.breaker.release(permission)
      expect(this.breaker.state(this.nowMs)).toBe(before)
    } else if (one.do === 'succeeded') {
      this.breaker.recordSuccess(permission, this.nowMs)
      const closes = before === 'closed' || (before === 'half-open' && permission === 'probe')
      expect(this.breaker.state(this.nowMs) === 'closed').toBe(closes)
    } else {
      this.breaker.recordFailure(permission, this.nowMs, 'x')
      if (before === 'half-open' && permission === 'probe')
        expect(this.breaker.state(this.nowMs)).toBe('open')
      if (before === 'open') expect(this.breaker.state(this.nowMs)).toBe('open')
    }
  }

  #check(): void {
    const { longestRestMs, probes, failures } = this.#rules
    const waitMs = this.breaker.waitMs(this.nowMs)
    expect(waitMs).toBeLessThanOrEqual(Math.max(longestRestMs, 1_000) + 1e-6)
    expect(this.#underWay.filter((permission) => permission === 'probe').length).toBeLessThanOrEqual(probes)
    if (this.breaker.state(this.nowMs) === 'closed') {
      expect(waitMs).toBe(0)
      expect(this.breaker.failuresInARow).toBeLessThan(failures)
    }
  }
}

it(`keeps its invariants whatever happens, and recovers (seed ${seed})`, () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(rulesOf, chance, fc.array(step, { maxLength: 80 }), (rules, random, steps) => {
      const drive = new Drive(rules, () => random)
      for (const one of steps) drive.take(one)
      drive.recover()
    }),
    { seed, numRuns: 1_000 },
  )
})
