import { expect, test } from 'vitest'
import { convertPrices } from './convert.ts'

test('prices get our names, and those that cannot be charged are listed', () => {
  const prices = {
    input_mtok: 3,
    output_mtok: 15,
    cache_read_mtok: 0.3,
    cache_write_mtok: 3.75,
    cache_write_1h_mtok: 6,
    output_reasoning_mtok: 20,
    input_audio_mtok: 32,
    input_image_mtok: 5,
    requests_kcount: 14,
    web_searches_kcount: 10,
    cache_audio_read_mtok: 0.4,
    output_audio_mtok: 64,
    output_image_mtok: 30,
    output_citation_mtok: 2,
    storage_searches_kcount: 2.5,
  }
  expect(convertPrices(prices)).toEqual({
    pricing: {
      prompt: '0.000003',
      completion: '0.000015',
      input_cache_read: '0.0000003',
      input_cache_write: '0.00000375',
      input_cache_write_1h: '0.000006',
      internal_reasoning: '0.00002',
      audio: '0.000032',
      image: '0.000005',
      input_audio_cache: '0.0000004',
      audio_output: '0.000064',
      image_output: '0.00003',
      web_search: '0.01',
      citation: '0.000002',
      request: '0.014',
    },
    notCharged: ['storage_searches_kcount'],
  })
})

test('a tier becomes an override from the token after its start, and higher tiers inherit lower ones', () => {
  const prices = {
    input_mtok: {
      base: 1,
      tiers: [
        { start: 200_000, price: 2 },
        { start: 500_000, price: 3 },
      ],
    },
    output_mtok: { base: 4, tiers: [{ start: 200_000, price: 5 }] },
  }
  expect(convertPrices(prices).pricing).toEqual({
    prompt: '0.000001',
    completion: '0.000004',
    overrides: [
      { min_prompt_tokens: 200_001, prompt: '0.000002', completion: '0.000005' },
      { min_prompt_tokens: 500_001, prompt: '0.000003', completion: '0.000005' },
    ],
  })
})

test('without a price for input or output there is no pricing', () => {
  expect(convertPrices({ output_mtok: 1 }).pricing).toBeUndefined()
  expect(convertPrices({ audio_hours: 0.1 })).toEqual({ pricing: undefined, notCharged: ['audio_hours'] })
})
