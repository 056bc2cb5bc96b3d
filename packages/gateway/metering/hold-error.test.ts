import type { HoldRefusal, PayerState } from '@turnpike/billing'
import { spendPeriodAt } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { toHoldError, noCreditError } from './hold-error.ts'

const own: PayerState = { keyId: 'key_own', isDrawnOn: false, isDefault: true }
const drawnOn: PayerState = { keyId: 'key_payer', isDrawnOn: true, isDefault: true }
const needs = 5_000_000_000n

const messageFor = (changes: Partial<HoldRefusal>): string =>
  toHoldError({ waitingHelps: false, creditPico: 1_000_000_000n, freePico: 0n, ...changes }, needs, undefined)
    .message

describe('the error for a request that cannot be held', () => {
  it.each<[PayerState | undefined, string]>([
    [own, "The key's credit of 0.001 USD does not cover this request, which may cost up to 0.005 USD. "],
    [
      drawnOn,
      'The 0.001 USD of credit that this key uses from key_payer does not cover this request, ' +
        'which may cost up to 0.005 USD. ',
    ],
  ])('names the owner of the credit: %o', (payer, words) => {
    expect(messageFor({ payer: payer! })).toBe(`${words}Top up the account (POST /api/v1/topup).`)
  })

  it('says where to add credit, or which key has enough', () => {
    expect(messageFor({ payer: { ...own, isDefault: false } })).toMatch(
      / Top up key_own \(POST \/api\/v1\/topup, `key_id`\)\.$/,
    )
    expect(messageFor({ payer: { ...drawnOn, richerKeyId: 'key_rich' } })).toMatch(
      / key_rich of the account has enough: let this key use its credit \(PATCH .* or top up\.$/,
    )
  })

  it('says that other requests hold the credit, so retrying helps', () => {
    const { message, status } = toHoldError(
      { waitingHelps: true, creditPico: needs, freePico: 0n, payer: drawnOn },
      needs,
      undefined,
    )
    expect([status, message]).toEqual([
      429,
      'This request needs 0.005 USD of credit. key_payer, whose credit this key uses, has 0.005 USD, but ' +
        'other requests in flight hold part of it. Retry when they finish.',
    ])
  })

  it('says what a budget has spent and left, and when it resets', () => {
    const budget = {
      rule: {
        id: 'bud_1',
        name: 'Search team',
        scope: 'tag' as const,
        subject: 'team:search',
        period: 'month' as const,
        limitPico: 4_000_000_000n,
      },
      period: spendPeriodAt('month', Date.UTC(2026, 10, 23)),
    }
    const start = 'The budget "Search team" (tag `team:search`, 0.004 USD a month) '
    const end =
      ': 0.003 USD is spent, 0.001 USD is left. Wait until the month ends at 2026-12-01T00:00:00Z, ' +
      'raise the budget (PATCH /api/v1/budgets/bud_1).'
    expect(messageFor({ budget })).toBe(
      `${start}does not cover this request, which may cost up to 0.005 USD${end}`,
    )
    const refusal = { waitingHelps: false, creditPico: 1_000_000_000n, freePico: 0n, budget }
    expect(noCreditError(refusal).message).toBe(`${start}is not enough for any request${end}`)
  })

  it('says the same before the request is read', () => {
    const refusal = { waitingHelps: false, creditPico: 0n, freePico: 0n }
    expect(noCreditError({ ...refusal, payer: drawnOn }).message).toBe(
      'The 0 USD of credit that this key uses from key_payer is not enough for any request. ' +
        'Top up the account (POST /api/v1/topup).',
    )
  })
})
