import { spendPeriodAt } from '@turnpike/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { KeyCredit } from './key-credit.ts'
import type { LeaseState, SpendLimitState } from './lease-store.ts'

const leaseMs = 120_000
const dayMs = 86_400_000
/** Times on two days. */
const [oldMs, newMs] = [dayMs - 1, dayMs]

const limitAt = (startedAtMs: number): SpendLimitState => ({
  limitPico: 100n,
  period: spendPeriodAt('day', startedAtMs),
  roomPico: 50n,
  predecessorsPico: 0n,
})

describe('a node’s part of a key’s credit', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('follows the latest report of the database, in whatever order responses arrive', () => {
    const credit = new KeyCredit('key')
    credit.leaseIs({ pico: 100n, version: 5n })
    credit.leaseIs({ pico: 300n, version: 4n })
    expect(credit.availablePico).toBe(100n)
    credit.hold(60n, newMs)
    credit.release(60n, 20n, newMs, newMs)
    expect(credit.availablePico).toBe(80n)
    // The lease after the charge is known before the flush is confirmed: too cautious, for a moment.
    credit.leaseIs({ pico: 80n, version: 6n })
    expect(credit.availablePico).toBe(60n)
    credit.flushed(20n)
    credit.leaseIs({ pico: 80n, version: 6n })
    expect(credit.availablePico).toBe(80n)
  })

  it('never gives requests of an ended period more than is available, in any order of responses', () => {
    const credit = new KeyCredit('key')
    take(credit, newMs, { pico: 0n, version: 1n }, 0n)
    // A request of yesterday was granted 30; a later response included them first, and 18 were returned.
    credit.leaseIs({ pico: 30n, version: 3n })
    credit.beginReturn(18n)
    take(credit, oldMs, { pico: 30n, version: 2n }, 30n)
    expect(credit.availablePico).toBe(12n)
    expect(credit.spendablePico(oldMs)).toBe(12n)
  })

  it('gives requests of an ended period what it had left once, even if more is leased later', () => {
    const credit = turnedWith(10n)
    take(credit, newMs, { pico: 60n, version: 2n }, 50n)
    credit.hold(4n, oldMs)
    expect([credit.spendablePico(oldMs), credit.spendablePico(newMs)]).toEqual([6n, 56n])
    credit.hold(6n, oldMs)
    expect([credit.spendablePico(oldMs), credit.spendablePico(newMs)]).toEqual([0n, 50n])
    // Credit that was not charged goes to the new period.
    credit.release(6n, 1n, oldMs, newMs)
    expect([credit.spendablePico(oldMs), credit.spendablePico(newMs)]).toEqual([0n, 55n])
  })

  it('subtracts a charge beyond a request’s hold from what its ended period had left', () => {
    const credit = turnedWith(10n)
    take(credit, newMs, { pico: 60n, version: 2n }, 50n)
    credit.hold(4n, oldMs)
    credit.release(4n, 7n, oldMs, newMs)
    expect([credit.spendablePico(oldMs), credit.spendablePico(newMs)]).toEqual([3n, 53n])
    credit.release(0n, 5n, oldMs, newMs)
    expect(credit.spendablePico(oldMs)).toBe(0n)
  })

  it('gives requests of an ended period nothing that was left under another limit', () => {
    const credit = turnedWith(10n)
    // A response for the new period does not tell what the new limit leaves of the old one.
    credit.becomeStale()
    take(credit, newMs, { pico: 10n, version: 2n }, 0n)
    expect([credit.spendablePico(oldMs), credit.spendablePico(newMs)]).toEqual([0n, 10n])
    const { timesStale } = credit
    credit.becomeStale()
    take(credit, oldMs, { pico: 15n, version: 3n }, 5n, timesStale)
    take(credit, newMs, { pico: 15n, version: 4n }, 0n)
    expect([credit.spendablePico(oldMs), credit.spendablePico(newMs)]).toEqual([0n, 15n])
    // Nor does it if the period turns before the new limit is known.
    credit.becomeStale()
    expect(credit.spendablePico(newMs + dayMs)).toBe(0n)
    take(credit, newMs + dayMs, { pico: 15n, version: 5n }, 0n)
    expect([credit.spendablePico(newMs), credit.spendablePico(newMs + dayMs)]).toEqual([0n, 15n])
  })

  it('is requested for a number of requests at low use, and by the spending rate at high use', () => {
    const credit = new KeyCredit('key')
    expect(credit.surplusFor(10n, leaseMs)).toBe(320n)
    vi.advanceTimersByTime(10_000)
    for (let count = 0; count < 1_000; count++) credit.release(0n, 7n, newMs, newMs)
    // 7,000 in 10 s are 84,000 during a lease's term.
    expect(credit.surplusFor(10n, leaseMs)).toBe(84_000n)
    vi.advanceTimersByTime(10_000)
    expect(credit.surplusFor(10n, leaseMs)).toBe(42_000n)
    for (let count = 0; count < 10; count++) {
      vi.advanceTimersByTime(10_000)
      credit.surplusFor(10n, leaseMs)
    }
    expect(credit.surplusFor(10n, leaseMs)).toBe(320n)
  })

  it('grows only by what is needed while it is scarce', () => {
    const credit = new KeyCredit('key')
    credit.becomeScarce()
    expect(credit.surplusFor(10n, leaseMs)).toBe(0n)
    vi.advanceTimersByTime(5_001)
    expect(credit.surplusFor(10n, leaseMs)).toBe(320n)
  })

  it('counts as low when half of it is used, but not again at once', () => {
    const credit = new KeyCredit('key')
    credit.leaseIs({ pico: 100n, version: 1n })
    credit.pauseTopUp(100n)
    credit.release(0n, 51n, newMs, newMs)
    expect(credit.isLow()).toBe(false)
    vi.advanceTimersByTime(1_001)
    expect(credit.isLow()).toBe(true)
    credit.pauseTopUp(0n)
    vi.advanceTimersByTime(1_001)
    credit.release(0n, 40n, newMs, newMs)
    expect(credit.isLow()).toBe(false)
    vi.advanceTimersByTime(4_000)
    expect(credit.isLow()).toBe(true)
  })
})

/** The database's response to a request for more, for a request that began then. */
function take(
  credit: KeyCredit,
  startedAtMs: number,
  lease: LeaseState,
  takenPico: bigint,
  timesStale = credit.timesStale,
): void {
  const free = { freePico: 900n, elsewherePico: 0n }
  credit.took({ ...free, lease, takenPico, limit: limitAt(startedAtMs) }, startedAtMs, timesStale)
}

/** A lease that had this much left when the new day's first request came. */
function turnedWith(pico: bigint): KeyCredit {
  const credit = new KeyCredit('key')
  take(credit, oldMs, { pico, version: 1n }, pico)
  expect(credit.spendablePico(newMs)).toBe(pico)
  return credit
}
