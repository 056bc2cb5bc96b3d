import type { HoldRefusal, PayerState } from '@turnpike/billing'
import { spendPeriodAt } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { refusedHold, withoutCredit } from './refused-hold.ts'

const own: PayerState = { keyId: 'key_own', isDrawnOn: false, isDefault: true }
const drawnOn: PayerState = { keyId: 'key_payer', isDrawnOn: true, isDefault: true }
const needs = 5_000_000_000n

const told = (changes: Partial<HoldRefusal>): string =>
  refusedHold({ waitingHelps: false, creditPico: 1_000_000_000n, freePico: 0n, ...changes }, needs, undefined)
    .message

describe('what a caller without credit is told', () => {
  it.each<[PayerState | undefined, string]>([
    [own, "The key's credit of 0.001 USD does not cover this request, which may cost up to 0.005 USD. "],
    [
      drawnOn,
      'The credit of 0.001 USD of key_payer, on which the key draws, does not cover this request, which ' +
        'may cost up to 0.005 USD. ',
    ],
  ])('is whose it is: %o', (payer, words) => {
    expect(told({ payer: payer! })).toBe(`${words}Top up the account (POST /api/v1/topup).`)
  })

  it('is where to put some, or where the account has some', () => {
    expect(told({ payer: { ...own, isDefault: false } })).toMatch(
      / Top up key_own \(POST \/api\/v1\/topup, `key_id`\)\.$/,
    )
    expect(told({ payer: { ...drawnOn, richerKeyId: 'key_rich' } })).toMatch(
      / key_rich of the account has enough: let the key draw on it \(PATCH .* or top up\.$/,
    )
  })

  it('is that requests of other keys hold it, so that waiting helps', () => {
    const { message, status } = refusedHold(
      { waitingHelps: true, creditPico: needs, freePico: 0n, payer: drawnOn },
      needs,
      undefined,
    )
    expect([status, message]).toEqual([
      429,
      'This request needs 0.005 USD of credit. key_payer, on which the key draws, has 0.005 USD, but other ' +
        'requests in flight hold part of it: retry when they have ended.',
    ])
  })

  it('is what of a budget is spent and left, and when it begins anew', () => {
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
      ': 0.003 USD of it are spent, 0.001 USD are left. The month ends at 2026-12-01T00:00:00Z: wait until ' +
      'then, raise the budget (PATCH /api/v1/budgets/bud_1).'
    expect(told({ budget })).toBe(`${start}does not cover this request, which may cost up to 0.005 USD${end}`)
    const refusal = { waitingHelps: false, creditPico: 1_000_000_000n, freePico: 0n, budget }
    expect(withoutCredit(refusal).message).toBe(`${start}covers no request${end}`)
  })

  it('is the same before anything of the request is read', () => {
    const refusal = { waitingHelps: false, creditPico: 0n, freePico: 0n }
    expect(withoutCredit({ ...refusal, payer: drawnOn }).message).toBe(
      'The credit of 0 USD of key_payer, on which the key draws, covers no request. ' +
        'Top up the account (POST /api/v1/topup).',
    )
  })
})
