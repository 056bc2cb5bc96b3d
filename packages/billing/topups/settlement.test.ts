import fc from 'fast-check'
import { expect, test } from 'vitest'
import { picoOfCents } from './cents.ts'
import { creditOf, grossOf } from './settlement.ts'
import type { Topup } from './topup.ts'

const cents = (most: number, least = 0) => fc.integer({ min: least, max: most })
/** A payment in cents, its tax (up to half of it), and a sum of refunds within both. */
const payments = fc
  .record({ paid: cents(1_000_000, 50), taxShare: cents(5_000), backShare: cents(10_000) })
  .map(({ paid, taxShare, backShare }) => {
    const tax = Math.floor((paid * taxShare) / 10_000)
    return { paid, tax, back: Math.floor(((paid + tax) * backShare) / 10_000) }
  })

const topupOf = (paid: number, tax: number) =>
  ({ paidPico: picoOfCents(paid), taxPico: picoOfCents(tax) }) as Topup

test('a payment without tax is all credit', () => {
  expect(creditOf(topupOf(2500, 0), picoOfCents(700))).toBe(picoOfCents(700))
  expect(grossOf(topupOf(2500, 0), picoOfCents(700))).toBe(picoOfCents(700))
})

test('with 19 % tax, the same share of a refund is credit', () => {
  const topup = topupOf(10_000, 1_900)
  expect(creditOf(topup, picoOfCents(1_190))).toBe(picoOfCents(1_000))
  expect(creditOf(topup, picoOfCents(11_900))).toBe(picoOfCents(10_000))
})

test('a larger part of a payment is more credit, and all of it is all the credit', () => {
  fc.assert(
    fc.property(payments, ({ paid, tax, back }) => {
      const topup = topupOf(paid, tax)
      const credit = creditOf(topup, picoOfCents(back))
      expect(credit >= 0n && credit <= topup.paidPico).toBe(true)
      expect(creditOf(topup, picoOfCents(paid + tax))).toBe(topup.paidPico)
      if (back > 0) expect(creditOf(topup, picoOfCents(back - 1)) < credit).toBe(true)
      // A receipt shows what really went back.
      expect(grossOf(topup, credit)).toBe(picoOfCents(back))
    }),
  )
})
