import { expect, test } from 'vitest'
import { priceTable } from './price-rows.ts'

test('priceTable shows every price next to those of long prompts and service tiers', () => {
  const { columns, rows } = priceTable({
    operations: ['generate'],
    pricing: {
      prompt: '0.00000125',
      completion: '0.00001',
      input_cache_read: '0.000000125',
      web_search: '0.01',
      overrides: [{ min_prompt_tokens: 200_001, prompt: '0.0000025', completion: '0.000015' }],
      service_tiers: { priority: { prompt: '0.0000025', request: '0.02' } },
    },
  })
  expect(columns).toEqual(['Usual', 'From 200,001 in', 'Tier priority'])
  const texts = rows.map(({ label, unit, prices }) => [label, unit, ...prices.map(({ text }) => text)])
  expect(texts).toEqual([
    ['Input', 'a million tokens', '$1.25', '$2.50', '$2.50'],
    ['Output', 'a million tokens', '$10.00', '$15.00', '$10.00'],
    ['Cached input', 'a million tokens', '$0.125', '$0.125', '$0.125'],
    ['Web search', 'a search', '$0.01', '$0.01', '$0.01'],
    ['Request', 'a request', '–', '–', '$0.02'],
  ])
  expect(rows[1]!.prices.map(({ isOther }) => isOther)).toEqual([false, true, false])
})

test('priceTable leaves out prices that are never charged, but keeps those of zero', () => {
  const labels = (operation: 'generate' | 'rerank' | 'embed', pricing: object): string[] =>
    priceTable({
      operations: [operation],
      pricing: { prompt: '0', completion: '0', ...pricing },
    }).rows.map(({ label }) => label)
  expect(labels('rerank', { search_unit: '0.002' })).toEqual(['Search unit'])
  expect(labels('embed', { prompt: '0.00000002' })).toEqual(['Input'])
  expect(labels('generate', {})).toEqual(['Input', 'Output'])
})
