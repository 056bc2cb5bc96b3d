import { GatewayError } from '@turnpike/protocol'
import { describe, expect, test } from 'vitest'
import { randomFrom, randomSeed } from '../storage/testing/random.ts'
import type { Allowance, TokenEstimate } from './allowance.ts'
import { Limiter } from './limiter.ts'
import type { RateLimits } from './limits.ts'
import { TierTable } from './tier-table.ts'

const key = { id: 'key_1', accountId: 'acct_1', tier: 'free', lifetimeTopupPico: 0n }
const otherKey = { ...key, id: 'key_2' }
const stranger = { ...key, id: 'key_3', accountId: 'acct_2' }
const model = { id: 'openai/large' }
const nothing: TokenEstimate = { inputTokens: 0, mostOutputTokens: 0 }

function limiterOf(free: RateLimits, burstPerKeyPerSecond = 1_000, models = new Map<string, RateLimits>()) {
  const clock = { nowMs: 0 }
  const tiers = new TierTable([{ name: 'free', lifetimeTopupPico: null, models, ...free }])
  const limiter = new Limiter({
    tiers,
    burstPerKeyPerSecond,
    burstBodyBytes: 1_000,
    clock: () => clock.nowMs,
  })
  const admit = (estimate = nothing, caller = key, of = model): Allowance => {
    const allowance = limiter.admit(caller, of, estimate)
    if (allowance instanceof Promise) throw new Error('counted elsewhere')
    return allowance
  }
  const refused = (estimate = nothing, caller = key, of = model): GatewayError => {
    try {
      admit(estimate, caller, of)
    } catch (error) {
      if (error instanceof GatewayError) return error
    }
    throw new Error('it was let in')
  }
  return { limiter, clock, admit, refused }
}

describe('the burst of a key', () => {
  test('allows a burst, and then a rate per second', () => {
    const { limiter, clock } = limiterOf({}, 10)
    for (let count = 0; count < 10; count++) expect(limiter.refusalOfKey(key)).toBeUndefined()
    const { error } = limiter.refusalOfKey(key)!
    expect(error).toMatchObject({ type: 'rate_limit_error', status: 429, retryAfterSeconds: 1 })
    expect(error.message).toBe(
      'Rate limit reached: an API key may send 10 requests per second. Retry in 1 second.',
    )
    clock.nowMs += 99
    expect(limiter.refusalOfKey(key)).toBeDefined()
    clock.nowMs += 1
    expect(limiter.refusalOfKey(key)).toBeUndefined()
    expect(limiter.refusalOfKey(key)).toBeDefined()
    expect(limiter.refused.burst).toBe(3)
  })

  test('gives each of several rejected requests a separate time to retry', () => {
    const { limiter, clock } = limiterOf({}, 10)
    const ask = (): number => limiter.refusalOfKey(key)?.error.retryAfterMs ?? 0
    const waits = Array.from({ length: 60 }, ask)
    const turns = Array.from({ length: 50 }, (_, at) => (at + 1) * 100)
    expect(waits).toEqual([...Array.from({ length: 10 }, () => 0), ...turns])
    // Returning a little late is no disadvantage.
    for (const turn of turns) {
      clock.nowMs = turn + 50
      expect(ask()).toBe(0)
    }
    // Callers that arrive in between get a turn after them.
    expect([ask(), ask()]).toEqual([50, 150])
  })

  test('does not delay other callers for requests that never return', () => {
    const { limiter, clock } = limiterOf({}, 10)
    for (let count = 0; count < 5_000; count++) {
      const { error } = limiter.refusalOfKey(key) ?? {}
      expect(error?.retryAfterMs ?? 0).toBeLessThanOrEqual(10_100)
      expect(error?.retryAfterSeconds ?? 1).toBe(Math.ceil((error?.retryAfterMs ?? 1) / 1_000))
    }
    clock.nowMs += 60_000
    for (let count = 0; count < 10; count++) expect(limiter.refusalOfKey(key)).toBeUndefined()
    expect(limiter.refusalOfKey(key)!.error.retryAfterMs).toBe(100)
  })

  test('is separate for each key', () => {
    const { limiter } = limiterOf({}, 1)
    for (const one of [key, otherKey, stranger]) expect(limiter.refusalOfKey(one)).toBeUndefined()
    for (const one of [key, otherKey, stranger]) expect(limiter.refusalOfKey(one)).toBeDefined()
  })

  test('has no more rejections recorded than it admits requests', () => {
    const { limiter, clock } = limiterOf({}, 10)
    let recorded = 0
    for (clock.nowMs = 0; clock.nowMs < 10_000; clock.nowMs++)
      if (limiter.refusalOfKey(key)?.recorded === true) recorded++
    expect(limiter.refused.burst).toBeGreaterThan(9_800)
    expect(recorded).toBeLessThanOrEqual(110)
    expect(recorded).toBeGreaterThan(100)
  })
})

describe('the limits of an account', () => {
  test('are counted over all its keys and models, and separately from other accounts', () => {
    const { admit, refused } = limiterOf({ requestsPerMinute: 2 })
    admit()
    admit(nothing, otherKey, { id: 'openai/other' })
    expect(refused()).toMatchObject({ status: 429, retryAfterSeconds: 30 })
    admit(nothing, stranger)
  })

  test('name the limit, its value, and what the request needs', () => {
    const models = new Map([['openai/small', { outputTokensPerMinute: 1_000 }]])
    const { admit, refused } = limiterOf({ requestsPerMinute: 1, inputTokensPerMinute: 600 }, 1_000, models)
    admit({ inputTokens: 500, mostOutputTokens: 10 })
    expect(refused().message).toBe(
      'Rate limit reached: an account of tier "free" may use 1 requests per minute. Retry in 60 seconds.',
    )
    const tokens = limiterOf({ inputTokensPerMinute: 600 }, 1_000, models)
    tokens.admit({ inputTokens: 500, mostOutputTokens: 10 })
    expect(tokens.refused({ inputTokens: 200, mostOutputTokens: 10 }).message).toBe(
      'Rate limit reached: an account of tier "free" may use 600 input tokens per minute. ' +
        'This request needs about 200. Retry in 10 seconds.',
    )
    const small = { id: 'openai/small' }
    tokens.admit({ inputTokens: 0, mostOutputTokens: 400 }, key, small)
    tokens.admit({ inputTokens: 0, mostOutputTokens: 400 }, key, small)
    expect(tokens.refused({ inputTokens: 0, mostOutputTokens: 400 }, key, small).message).toContain(
      '1000 output tokens per minute for the model "openai/small"',
    )
    expect(tokens.limiter.refused).toEqual({ burst: 0, requests: 0, 'input-tokens': 1, 'output-tokens': 1 })
  })

  test('take nothing from the other limits if one of them rejects', () => {
    const { admit, refused, limiter } = limiterOf({ requestsPerMinute: 2, inputTokensPerMinute: 100 })
    admit({ inputTokens: 100, mostOutputTokens: 0 })
    for (let count = 0; count < 5; count++) refused({ inputTokens: 50, mostOutputTokens: 0 })
    expect(limiter.headers(key, undefined)).toMatchObject({ 'x-ratelimit-remaining-requests': '1' })
    admit()
  })

  test('admit a request larger than the whole limit once nothing is owed; later requests wait for it', () => {
    const { admit, refused, limiter, clock } = limiterOf({ inputTokensPerMinute: 100 })
    const large = { inputTokens: 300, mostOutputTokens: 0 }
    limiter.settle(admit(large), { inputTokens: 300, outputTokens: 0 })
    expect(refused({ inputTokens: 1, mostOutputTokens: 0 }).retryAfterSeconds).toBe(121)
    expect(refused(large).retryAfterSeconds).toBe(180)
    clock.nowMs += 180_000
    admit(large)
  })
})

describe('real usage', () => {
  const limits = { requestsPerMinute: 10, inputTokensPerMinute: 1_000, outputTokensPerMinute: 1_000 }
  const estimate = { inputTokens: 600, mostOutputTokens: 400 }

  test('replaces the estimate, in both directions', () => {
    const { admit, limiter } = limiterOf(limits)
    const allowance = admit(estimate)
    expect(limiter.headers(key, allowance)).toMatchObject({ 'x-ratelimit-remaining-tokens': '400' })
    limiter.settle(allowance, { inputTokens: 100, outputTokens: 900 })
    expect(limiter.headers(key, allowance)).toMatchObject({
      'x-ratelimit-remaining-requests': '9',
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-remaining-tokens': '100',
      'x-ratelimit-reset-tokens': '54s',
    })
  })

  test('of a request that used no model counts as a request without tokens', () => {
    const { admit, limiter } = limiterOf(limits)
    const allowance = admit(estimate)
    limiter.settle(allowance, undefined)
    expect(limiter.headers(key, allowance)).toMatchObject({
      'x-ratelimit-remaining-requests': '9',
      'x-ratelimit-remaining-tokens': '1000',
    })
  })

  test('predicts the length of the next answer', () => {
    const { admit, limiter, clock } = limiterOf({ outputTokensPerMinute: 100_000 })
    const taken = (): number => {
      clock.nowMs += 60_000
      const allowance = admit({ inputTokens: 1, mostOutputTokens: 50_000 })
      limiter.settle(allowance, { inputTokens: 1, outputTokens: 4_000 })
      return allowance.taken[0]!
    }
    expect(taken()).toBe(500)
    let last = 0
    for (let count = 0; count < 50; count++) last = taken()
    expect(last).toBeGreaterThan(3_900)
    expect(admit({ inputTokens: 1, mostOutputTokens: 20 }).taken).toEqual([20])
  })
})

const seed = randomSeed()

test(`a caller that waits as told is never rejected twice in a row (TURNPIKE_TEST_SEED=${seed})`, () => {
  const random = randomFrom(seed)
  for (let round = 0; round < 100; round++) {
    const upTo = (most: number): number => Math.ceil(most ** random())
    const { limiter, clock } = limiterOf(
      {
        requestsPerMinute: upTo(2_000),
        inputTokensPerMinute: upTo(100_000),
        outputTokensPerMinute: upTo(100_000),
      },
      upTo(100),
    )
    const estimate = { inputTokens: upTo(50_000), mostOutputTokens: upTo(8_000) }
    /** Seconds to wait; 0 if it was admitted. */
    const ask = (): number => {
      const burst = limiter.refusalOfKey(key)
      if (burst !== undefined) return burst.error.retryAfterSeconds!
      try {
        const allowance = limiter.admit(key, model, estimate) as Allowance
        limiter.settle(allowance, { inputTokens: estimate.inputTokens, outputTokens: upTo(8_000) })
        return 0
      } catch (error) {
        return (error as GatewayError).retryAfterSeconds!
      }
    }
    for (let count = 0; count < 200; count++) {
      const waitSeconds = ask()
      if (waitSeconds === 0) continue
      clock.nowMs += waitSeconds * 1_000
      expect(ask()).toBe(0)
    }
  }
})

test(`usage in any period is bounded, including estimates in progress (TURNPIKE_TEST_SEED=${seed})`, () => {
  const random = randomFrom(seed + 1)
  for (let round = 0; round < 30; round++) {
    const perMinute = Math.ceil(100_000 * random())
    const { limiter, clock } = limiterOf({ inputTokensPerMinute: perMinute }, 1_000_000)
    const running: { allowance: Allowance; actual: number; endMs: number }[] = []
    let used = 0
    for (let count = 0; count < 2_000; count++) {
      clock.nowMs += Math.floor(random() ** 3 * 2_000)
      for (const one of running.splice(0).toSorted((a, b) => a.endMs - b.endMs)) {
        if (one.endMs > clock.nowMs) running.push(one)
        else limiter.settle(one.allowance, { inputTokens: one.actual, outputTokens: 0 })
      }
      const inputTokens = Math.ceil((perMinute / 5) * random())
      try {
        const allowance = limiter.admit(key, model, { inputTokens, mostOutputTokens: 0 }) as Allowance
        const actual = Math.round(inputTokens * random())
        used += actual
        running.push({ allowance, actual, endMs: clock.nowMs + random() * 20_000 })
      } catch {
        // Rejected, so nothing was used.
      }
    }
    expect(used).toBeLessThanOrEqual(perMinute + (perMinute * clock.nowMs) / 60_000)
  }
})
