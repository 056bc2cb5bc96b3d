import { spendPeriodAt } from '@turnpike/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { KeyCredit } from './key-credit.ts'
import type { SpendLimitState } from './lease-store.ts'

const leaseMs = 120_000

describe('a node’s part of a key’s credit', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is what the database said last, in whatever order its answers come', () => {
    const credit = new KeyCredit('key')
    credit.leaseIs({ pico: 100n, version: 5n })
    credit.leaseIs({ pico: 300n, version: 4n })
    expect(credit.availablePico).toBe(100n)
    credit.hold(60n)
    credit.release(60n, 20n)
    expect(credit.availablePico).toBe(80n)
    // The lease after the charge is known before the charge is known to be posted: too careful, for a moment.
    credit.leaseIs({ pico: 80n, version: 6n })
    expect(credit.availablePico).toBe(60n)
    credit.flushed(20n)
    credit.leaseIs({ pico: 80n, version: 6n })
    expect(credit.availablePico).toBe(80n)
  })

  it('gives requests of an ended period no more than there is, in whatever order answers come', () => {
    const credit = new KeyCredit('key')
    const dayMs = 86_400_000
    const limit = (startsAtMs: number): SpendLimitState => ({
      limitPico: 100n,
      period: spendPeriodAt('day', startsAtMs),
      roomPico: 50n,
      predecessorsPico: 0n,
    })
    const answer = { freePico: 900n, elsewherePico: 0n }
    const today = { ...answer, lease: { pico: 0n, version: 1n }, takenPico: 0n, limit: limit(dayMs) }
    credit.took(today, dayMs, credit.timesStale)
    // 30 were granted to a request of yesterday; a later answer told of them first, and 18 went back.
    credit.leaseIs({ pico: 30n, version: 3n })
    credit.beginReturn(18n)
    const yesterday = { ...answer, lease: { pico: 30n, version: 2n }, takenPico: 30n, limit: limit(0) }
    credit.took(yesterday, dayMs - 1, credit.timesStale)
    expect(credit.availablePico).toBe(12n)
    expect(credit.spendablePico(dayMs - 1)).toBe(12n)
  })

  it('is asked for by requests while it is little used, by its use where that is more', () => {
    const credit = new KeyCredit('key')
    expect(credit.surplusFor(10n, leaseMs)).toBe(320n)
    vi.advanceTimersByTime(10_000)
    for (let count = 0; count < 1_000; count++) credit.release(0n, 7n)
    // 7,000 in 10 s are 84,000 in a lease's time.
    expect(credit.surplusFor(10n, leaseMs)).toBe(84_000n)
    vi.advanceTimersByTime(10_000)
    expect(credit.surplusFor(10n, leaseMs)).toBe(42_000n)
    for (let count = 0; count < 10; count++) {
      vi.advanceTimersByTime(10_000)
      credit.surplusFor(10n, leaseMs)
    }
    expect(credit.surplusFor(10n, leaseMs)).toBe(320n)
  })

  it('grows by no more than what is needed while it is scarce', () => {
    const credit = new KeyCredit('key')
    credit.becomeScarce()
    expect(credit.surplusFor(10n, leaseMs)).toBe(0n)
    vi.advanceTimersByTime(5_001)
    expect(credit.surplusFor(10n, leaseMs)).toBe(320n)
  })

  it('is low when half of what was taken is used, but not at once again', () => {
    const credit = new KeyCredit('key')
    credit.leaseIs({ pico: 100n, version: 1n })
    credit.pauseTopUp(100n)
    credit.release(0n, 51n)
    expect(credit.isLow()).toBe(false)
    vi.advanceTimersByTime(1_001)
    expect(credit.isLow()).toBe(true)
    credit.pauseTopUp(0n)
    vi.advanceTimersByTime(1_001)
    credit.release(0n, 40n)
    expect(credit.isLow()).toBe(false)
    vi.advanceTimersByTime(4_000)
    expect(credit.isLow()).toBe(true)
  })
})
