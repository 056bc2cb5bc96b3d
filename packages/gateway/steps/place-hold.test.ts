import { compilePricing, type Hold, type Spender } from '@turnpike/billing'
import type { FormatName } from '@turnpike/dialects'
import { describe, expect, it } from 'vitest'
import type { Gateway } from '../context/gateway.ts'
import type { Held, Limited } from '../context/stages.ts'
import { countHeldOutput } from '../metering/output-bound.ts'
import { generate } from '../operations/generate/rules.ts'
import { placeHold } from './place-hold.ts'

/** An output token costs a millionth of a dollar, input costs nothing. */
const prices = compilePricing({ prompt: '0', completion: '0.000001' }, '1.0')
const picoPerToken = 1_000_000n

/** A minimal lease book: one key with this much credit, all of it leased to this node. */
function leasesWith(creditPico: bigint): Gateway['leases'] {
  let freePico = creditPico
  const take = (pico: bigint): boolean => {
    if (pico > freePico) return false
    freePico -= pico
    return true
  }
  return {
    tryHold({ keyId, startedAtMs }: Spender, amountPico: bigint): Hold | undefined {
      if (!take(amountPico)) return undefined
      return { keyId, startedAtMs, amountPico, settled: false, budgets: undefined, budgetPico: undefined }
    },
    tryExtend(hold: Hold, morePico: bigint) {
      if (!take(morePico)) return false
      hold.amountPico += morePico
      return true
    },
    freeBeside: () => freePico,
  } as unknown as Gateway['leases']
}

function held(creditTokens: number, format: FormatName, request: object = {}, operation = generate): Held {
  const model = { maxOutputTokens: 64_000 }
  const limited = {
    key: { id: 'key_1', budgets: null },
    call: { request: { messages: [], tools: [], choices: 1, extensions: {}, ...request } },
    operation,
    format: { operation: 'generate' },
    candidates: [{ model, prices, provider: { format, paidFields: [], unaskedSearches: 0 } }],
    allowance: { estimate: { inputTokens: 10 } },
    exchange: { startedAtMs: 0 },
    record: {},
  } as unknown as Limited
  const gateway = {
    outbox: { requireRoom() {} },
    leases: leasesWith(BigInt(creditTokens) * picoPerToken),
  } as unknown as Gateway
  return placeHold(limited, gateway) as Held
}

describe('the output bound of a request that names none', () => {
  it.each([
    [40_959, true],
    [40_960, false],
  ])('with credit for %i tokens is sent: %s', (credit, isSent) => {
    expect(held(credit, 'openai-chat').outputBound).toEqual({ tokens: 4_096, isSent, isLowered: false })
  })

  it.each([
    [5_000, 4_096],
    [50_000, 5_000],
    [639_999, 63_999],
    [640_000, 64_000],
    [10_000_000, 64_000],
  ])('with credit for %i tokens is %i for a vendor that requires one', (credit, tokens) => {
    const request = held(credit, 'anthropic-messages')
    const { outputBound, hold, record } = request
    expect(outputBound).toEqual({ tokens, isSent: true, isLowered: false })
    expect(hold.amountPico).toBe(BigInt(tokens) * picoPerToken)
    expect(record.holdPico).toBe(hold.amountPico)
    expect(countHeldOutput(request, request.candidates[0]!.model)).toBe(tokens)
  })

  it('leaves room for the reasoning that the request allows', () => {
    const asked = { reasoning: { budgetTokens: 20_000 } }
    expect(held(30_000, 'anthropic-messages', asked).outputBound.tokens).toBe(24_096)
    const native = { extensions: { thinking: { type: 'enabled', budget_tokens: 10_000 } } }
    expect(held(30_000, 'anthropic-messages', native).outputBound.tokens).toBe(14_096)
  })
})

it('a bound that the caller names is held and sent whatever the credit', () => {
  const { outputBound, hold } = held(1_000_000, 'anthropic-messages', { maxOutputTokens: 10 })
  expect(outputBound).toEqual({ tokens: 10, isSent: true, isLowered: false })
  expect(hold.amountPico).toBe(10n * picoPerToken)
})

it('an operation without output has no bound, and none is sent', () => {
  const silent: typeof generate = { ...generate, expectsOutput: false, defaultOutputBound: () => 0 }
  const { outputBound, hold } = held(0, 'anthropic-messages', {}, silent)
  expect(outputBound).toEqual({ tokens: 0, isSent: false, isLowered: false })
  expect(hold.amountPico).toBe(0n)
})
