import { expect, test } from 'vitest'
import { findSourceModel } from './price-source.ts'
import { PriceFileError, readPriceSource } from './read-source.ts'

const model = { id: 'm', match: { equals: 'M-1' }, prices: { input_mtok: 1, output_mtok: 2 } }
const file = (changed: object): unknown => [{ id: 'p', models: [{ ...model, ...changed }] }]

test('reads what is used, and ignores the rest', () => {
  const [provider] = readPriceSource([
    { id: 'p', name: 'P', api_pattern: 'x', models: [{ ...model, description: 'd', context_window: 5 }] },
  ])
  expect(provider).toEqual({ id: 'p', models: [{ ...model, context_window: 5 }] })
  expect(findSourceModel([provider!], 'p', 'm-1')?.id).toBe('m')
})

test('reads constraints with and without their type', () => {
  const prices = [
    { prices: model.prices },
    { constraint: { type: 'start_date', start_date: '2026-01-01' }, prices: model.prices },
    { constraint: { start_time: '01:00:00Z', end_time: '04:00:00+00:00' }, prices: model.prices },
  ]
  expect(readPriceSource(file({ prices }))[0]!.models[0]!.prices).toMatchObject([
    {},
    { constraint: { start_date: '2026-01-01' } },
    { constraint: { start_time: '01:00:00Z' } },
  ])
})

test.each<[unknown, string]>([
  [{}, 'the file: expected a list'],
  [[{ id: 'p' }], '[0].models: expected a list'],
  [[{ models: [] }], '[0].id: expected a text'],
  [file({ prices: { input_mtok: '1' } }), '[0].models[0].prices.input_mtok: expected a price in USD'],
  [file({ prices: { input_mtok: -1 } }), '[0].models[0].prices.input_mtok: expected a price in USD'],
  [file({ prices: { input_mtok: { base: 1 } } }), '[0].models[0].prices.input_mtok.tiers: expected a list'],
  [
    file({ prices: { input_mtok: { base: 1, tiers: [{ start: 1.5, price: 1 }] } } }),
    '[0].models[0].prices.input_mtok.tiers[0].start: expected a number of tokens',
  ],
  [
    file({ prices: [{ constraint: { start_date: 'soon' }, prices: {} }] }),
    'prices[0].constraint: expected start_date',
  ],
  [
    file({ prices: [{ constraint: { start_time: '01:00:00+08:00', end_time: '02:00:00Z' }, prices: {} }] }),
    'prices[0].constraint: expected start_date, or start_time and end_time in UTC',
  ],
  [file({ match: {} }), '[0].models[0].match: expected one of or, and, equals'],
  [file({ match: { or: [{ regex: '(' }] } }), '[0].models[0].match.or[0].regex: '],
])('the error for an invalid file names the place: %j', (content, message) => {
  expect(() => readPriceSource(content)).toThrow(PriceFileError)
  expect(() => readPriceSource(content)).toThrow(message)
})
