import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatUsd } from '../money/usd.ts'
import { compilePricing, addMarkup } from './price-table.ts'
import { rate, rateBoth, worstCase } from './rate.ts'
import { findUnpriced } from './unpriced-services.ts'

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

  it('falls back to the plainer price if one is absent', () => {
    const usage = { cacheWrite1hTokens: 4, reasoningTokens: 1, inputAudioTokens: 2 }
    expect(formatUsd(rate(usage, table))).toBe('0.0010275')
  })

  it('uses long-context prices from their bound on, for the whole request', () => {
    const charge = (inputTokens: number): string => formatUsd(rate({ inputTokens, outputTokens: 1 }, table))
    expect(charge(199_999)).toBe('0.5010075')
    expect(charge(200_000)).toBe('1.0010225')
    expect(formatUsd(rate({ cacheReadTokens: 200_000 }, table))).toBe('0.251')
  })

  it('applies the markup once, to the sum, and rounds half up to the pico-dollar', () => {
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

  it('rounds the vendor cost separately, so that no markup can change it', () => {
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

  it(`gives a vendor cost equal to the charge at a markup of 1, at any markup (seed ${seed})`, () => {
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

  it('bounds a request by its highest prices', () => {
    const usage = { cacheWriteTokens: 100, outputTokens: 50 }
    expect(worstCase(table, 100, 50)).toBe(rate(usage, table))
  })

  it('bounds further kinds of input by their prices if those are higher', () => {
    const usual = worstCase(table, 100, 50)
    const dear = compilePricing({ prompt: '0.000001', completion: '0.000002', audio: '0.00004' }, '1.0')
    const audio = { inputAudioTokens: 100, outputTokens: 50 }
    expect(worstCase(dear, 100, 50, ['inputAudioTokens'])).toBe(rate(audio, dear))
    expect(worstCase(dear, 100, 50)).toBeLessThan(rate(audio, dear))
    expect(worstCase(table, 100, 50, ['inputTokens'])).toBe(usual)
  })

  const tiered = compilePricing(
    {
      prompt: '0.000002',
      completion: '0.00001',
      web_search: '0.01',
      citation: '0.000003',
      audio_output: '0.00008',
      image_output: '0.00003',
      input_audio_cache: '0.0000005',
      overrides: [{ min_prompt_tokens: 1_000, prompt: '0.000004', completion: '0.00001' }],
      service_tiers: {
        priority: { prompt: '0.000003', completion: '0.00002' },
        flex: { prompt: '0.000001' },
      },
    },
    '1',
  )
  const used = { inputTokens: 100, outputTokens: 10 }

  it('prices services beside tokens, and other kinds of output', () => {
    const charge = (usage: Parameters<typeof rate>[0]): string => formatUsd(rate(usage, tiered))
    expect(charge({ webSearches: 3 })).toBe('0.03')
    expect(charge({ citationTokens: 100 })).toBe('0.0003')
    expect(charge({ outputAudioTokens: 10, outputImageTokens: 10 })).toBe('0.0011')
    expect(charge({ cacheReadAudioTokens: 10 })).toBe('0.000005')
  })

  it('uses the prices of the tier that answered, or the plain ones if it has none', () => {
    const charge = (serviceTier: string): string => formatUsd(rate({ ...used, serviceTier }, tiered))
    expect(charge('default')).toBe('0.0003')
    expect(charge('priority')).toBe('0.0005')
    expect(charge('PRIORITY')).toBe('0.0005')
    expect(charge('flex')).toBe('0.0002')
    expect(charge('other')).toBe('0.0003')
    expect(charge('__proto__')).toBe('0.0003')
  })

  it('never charges less for a long prompt in a tier than without it', () => {
    const long = { inputTokens: 1_000, outputTokens: 10, serviceTier: 'priority' }
    expect(formatUsd(rate(long, tiered))).toBe('0.0042')
  })

  it('bounds a request by its requested services, granted or not', () => {
    const most = (services: Parameters<typeof worstCase>[4]): string =>
      formatUsd(worstCase(tiered, 100, 10, [], services))
    expect(most({})).toBe('0.0003')
    expect(most({ tier: 'priority' })).toBe('0.0005')
    expect(most({ tier: 'flex' })).toBe('0.0003')
    expect(most({ webSearches: 2 })).toBe('0.0203')
    expect(most({ furtherOutput: ['outputAudioTokens'] })).toBe('0.001')
    expect(most({ moreOutputTokens: 90 })).toBe('0.0012')
  })

  it('shows prices of tiers with the markup, and gives them versions of their own', () => {
    const { pricing } = tiered
    expect(addMarkup({ pricing, markup: '2' }).service_tiers).toEqual({
      priority: { prompt: '0.000006', completion: '0.00004' },
      flex: { prompt: '0.000002' },
    })
    const { service_tiers: _tiers, ...plain } = pricing
    expect(compilePricing(plain, '1').version).not.toBe(tiered.version)
    const dearer = { ...pricing, service_tiers: { priority: { prompt: '0.000004' } } }
    expect(compilePricing(dearer, '1').version).not.toBe(tiered.version)
  })

  it('recognizes what has no price', () => {
    const plain = compilePricing({ prompt: '0.000002', completion: '0.00001' }, '1')
    const billed = { webSearches: 1, citationTokens: 1, outputAudioTokens: 1, outputImageTokens: 1 }
    const usage = { ...used, ...billed, serviceTier: 'priority', unpriced: ['speed'] }
    expect(findUnpriced(usage, tiered)).toEqual(['speed'])
    const services = ['speed', 'service_tier', 'web_search', 'citation', 'audio_output', 'image_output']
    expect(findUnpriced(usage, plain)).toEqual(services)
    expect(findUnpriced(used, plain)).toEqual([])
    for (const serviceTier of ['default', 'standard', 'auto', 'flex', 'ON_DEMAND', 'PROVISIONED_THROUGHPUT'])
      expect(findUnpriced({ ...used, serviceTier }, plain)).toEqual([])
    const fee = compilePricing({ prompt: '1', completion: '1', request: '0.01' }, '1')
    expect(findUnpriced({ webSearches: 2 }, fee)).toEqual([])
    const together = compilePricing({ prompt: '0', completion: '0', grounded_prompt: '0.035' }, '2')
    expect(findUnpriced({ webSearches: 2 }, together)).toEqual([])
    expect(formatUsd(rate({ webSearches: 2 }, together))).toBe('0.07')
    expect(formatUsd(rate({ webSearches: 0 }, together))).toBe('0')
    expect(formatUsd(worstCase(together, 0, 0, [], { webSearches: 10 }))).toBe('0.07')
  })

  it('gives equal prices equal versions, and other prices or markups different ones', () => {
    const a = compilePricing({ prompt: '1', completion: '2' }, '1.0').version
    expect(compilePricing({ completion: '2', prompt: '1' }, '1.0').version).toBe(a)
    expect(compilePricing({ prompt: '1', completion: '3' }, '1.0').version).not.toBe(a)
    expect(compilePricing({ prompt: '1', completion: '2' }, '1.1').version).not.toBe(a)
  })

  it('shows prices with the markup, exactly', () => {
    const prices = compilePricing(
      { prompt: '0.0000025', completion: '0.00001', overrides: [{ min_prompt_tokens: 5, prompt: '1' }] },
      '1.15',
    )
    expect(addMarkup(prices)).toEqual({
      prompt: '0.000002875',
      completion: '0.0000115',
      overrides: [{ min_prompt_tokens: 5, prompt: '1.15' }],
    })
  })
})
