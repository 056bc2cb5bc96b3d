import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatUsd } from '../money/usd.ts'
import { compilePricing, markedUp } from './price-table.ts'
import { rate, rateBoth, worstCase } from './rate.ts'

const seed = Date.now() % 2 ** 31

describe('rating', () => {
  const table = compilePricing(
    {
      prompt: '0.0000025',
      completion: '0.00001',
      input_cache_read: '0.00000125',
      input_cache_write: '0.000003125',
      request: '0.001',
      overrides: [{ min_prompt_tokens: 200_000, prompt: '0.000005', completion: '0.0000225' }],
    },
    '1.0',
  )

  it('prices each bucket once, exactly', () => {
    expect(formatUsd(rate({ inputTokens: 7, cacheReadTokens: 3, outputTokens: 2 }, table))).toBe('0.00104125')
  })

  it('takes the plainer price where one is absent', () => {
    const usage = { cacheWrite1hTokens: 4, reasoningTokens: 1, inputAudioTokens: 2 }
    expect(formatUsd(rate(usage, table))).toBe('0.0010275')
  })

  it('takes the long-context prices from their bound on, for the whole request', () => {
    const charge = (inputTokens: number): string => formatUsd(rate({ inputTokens, outputTokens: 1 }, table))
    expect(charge(199_999)).toBe('0.5010075')
    expect(charge(200_000)).toBe('1.0010225')
    expect(formatUsd(rate({ cacheReadTokens: 200_000 }, table))).toBe('0.251')
  })

  it('applies the markup once, to the sum, and rounds half up at the pico-dollar', () => {
    const prices = compilePricing({ prompt: '0.000000000001', completion: '0' }, '1.5')
    expect(rate({ inputTokens: 1 }, prices)).toBe(2n)
    expect(rate({ inputTokens: 2 }, prices)).toBe(3n)
    expect(rate({ inputTokens: 3 }, prices)).toBe(5n)
  })

  it(`equals the sum in exact fractions (seed ${seed})`, () => {
    const price = fc.bigInt(0n, 10n ** 15n)
    const tokens = fc.integer({ min: 0, max: 10_000_000 })
    fc.assert(
      fc.property(
        price,
        price,
        tokens,
        tokens,
        fc.integer({ min: 1, max: 9_999 }),
        (prompt, completion, input, output, factor) => {
          const decimal = (units: bigint): string => `0.${units.toString().padStart(18, '0')}`
          const markup = `${Math.floor(factor / 1000)}.${String(factor % 1000).padStart(3, '0')}`
          const prices = compilePricing({ prompt: decimal(prompt), completion: decimal(completion) }, markup)
          const exact = (prompt * BigInt(input) + completion * BigInt(output)) * BigInt(factor)
          const unit = 10n ** 9n
          expect(rate({ inputTokens: input, outputTokens: output }, prices)).toBe((exact + unit / 2n) / unit)
        },
      ),
      { seed },
    )
  })

  it('rounds the vendor cost by itself, so that no markup can move it', () => {
    const prompt = '0.0000000000005'
    expect(rateBoth({ inputTokens: 1 }, compilePricing({ prompt, completion: '0' }, '1.2'))).toEqual({
      chargePico: 1n,
      vendorCostPico: 1n,
    })
    expect(rateBoth({ inputTokens: 10 }, compilePricing({ prompt, completion: '0' }, '1.5'))).toEqual({
      chargePico: 8n,
      vendorCostPico: 5n,
    })
  })

  it(`owes the vendor the charge of a markup of 1, whatever the markup (seed ${seed})`, () => {
    const tokens = fc.integer({ min: 0, max: 10_000_000 })
    const price = fc.bigInt(0n, 10n ** 15n).map((units) => `0.${units.toString().padStart(18, '0')}`)
    const markup = fc.integer({ min: 1, max: 9_999_999 }).map((factor) => String(factor / 1_000_000))
    const usage = fc.record({ inputTokens: tokens, cacheReadTokens: tokens, outputTokens: tokens })
    fc.assert(
      fc.property(price, price, usage, markup, (prompt, completion, used, factor) => {
        fc.pre(!factor.includes('e'))
        const pricing = { prompt, completion, request: prompt }
        for (const one of ['1', '1.0', '1.000']) {
          const { chargePico, vendorCostPico } = rateBoth(used, compilePricing(pricing, one))
          expect(vendorCostPico).toBe(chargePico)
          expect(chargePico).toBe(rate(used, compilePricing(pricing, one)))
        }
        const marked = rateBoth(used, compilePricing(pricing, factor))
        expect(marked.chargePico).toBe(rate(used, compilePricing(pricing, factor)))
        expect(marked.vendorCostPico).toBe(rate(used, compilePricing(pricing, '1')))
      }),
      { seed },
    )
  })

  it('bounds a request by its dearest prices', () => {
    const usage = { cacheWriteTokens: 100, outputTokens: 50 }
    expect(worstCase(table, 100, 50)).toBe(rate(usage, table))
  })

  it('bounds input of further kinds by their prices, where those are dearer', () => {
    const usual = worstCase(table, 100, 50)
    const dear = compilePricing({ prompt: '0.000001', completion: '0.000002', audio: '0.00004' }, '1.0')
    const audio = { inputAudioTokens: 100, outputTokens: 50 }
    expect(worstCase(dear, 100, 50, ['inputAudioTokens'])).toBe(rate(audio, dear))
    expect(worstCase(dear, 100, 50)).toBeLessThan(rate(audio, dear))
    expect(worstCase(table, 100, 50, ['inputTokens'])).toBe(usual)
  })

  it('gives equal prices equal versions, and other prices or markups others', () => {
    const a = compilePricing({ prompt: '1', completion: '2' }, '1.0').version
    expect(compilePricing({ completion: '2', prompt: '1' }, '1.0').version).toBe(a)
    expect(compilePricing({ prompt: '1', completion: '3' }, '1.0').version).not.toBe(a)
    expect(compilePricing({ prompt: '1', completion: '2' }, '1.1').version).not.toBe(a)
  })

  it('tells the prices with the markup in them, exact', () => {
    const prices = compilePricing(
      { prompt: '0.0000025', completion: '0.00001', overrides: [{ min_prompt_tokens: 5, prompt: '1' }] },
      '1.15',
    )
    expect(markedUp(prices)).toEqual({
      prompt: '0.000002875',
      completion: '0.0000115',
      overrides: [{ min_prompt_tokens: 5, prompt: '1.15' }],
    })
  })
})
