import type { FormatName } from '@turnpike/dialects'
import { Catalog, type CatalogModel, type Provider } from '@turnpike/vendors'
import { expect, it } from 'vitest'
import { testBook, testModel, testProvider } from '../testing/candidates.ts'
import { candidatesInFormat, type Candidate } from './candidate.ts'

const book = testBook([testProvider('a', { apiKeys: ['one', 'two'] }), testProvider('b')])
const keyOf = ({ credential }: Candidate): string | undefined => credential.secrets()[0]

const reached = (name: FormatName, all: readonly Candidate[]): readonly Candidate[] =>
  candidatesInFormat({ name, operation: 'generate' }, all)

it('tries each upstream with each of its keys, in their order', () => {
  const several = testModel('a/m', ['a', 'gone', 'b'])
  const tried = book.of(several).map((one) => [one.provider.name, keyOf(one), one.keyNumber])
  expect(tried).toEqual([
    ['a', 'one', 1],
    ['a', 'two', 2],
    ['b', undefined, undefined],
  ])
  expect(book.of(several)).toBe(book.of(several))
})

it('has no candidates for a model without a price, or without a provider', () => {
  expect(book.of(testModel('a/unpriced', ['a']))).toEqual([])
  expect(book.of(testModel('a/m', ['gone']))).toEqual([])
})

it('charges the upstream’s own price with the markup, also for a dated version', () => {
  const pricing = { prompt: '3', completion: '4' }
  const own = testModel('a/m', ['b', { provider: 'a', model: 'other', pricing }], { dated: true })
  const catalog = new Catalog([own])
  const [plain, version] = ['a/m', 'a/m-2024-08-06'].map((name) => book.of(catalog.resolve(name)))
  expect(plain!.map(({ prices: { pricing: of } }) => of.prompt)).toEqual(['1', '3', '3'])
  expect(version!.map(({ upstream }) => upstream.model)).toEqual(['m-2024-08-06', 'other', 'other'])
  // A version shares the model's limits and failures.
  expect(version!.map(({ health }) => health)).toEqual(plain!.map(({ health }) => health))
  expect(version!.map(({ prices: table }) => table)).toEqual(plain!.map(({ prices: table }) => table))
  expect(version![1]!.prices).toBe(plain![1]!.prices)
})

it('lists a provider in the caller’s format if it speaks that, with the same keys', () => {
  const own = testProvider('a', { apiKeys: ['one', 'two'] })
  const messages: Provider = { ...own, format: 'anthropic-messages' }
  const both: Provider = { ...own, inFormat: { 'anthropic-messages': messages } }
  const listed = testBook([both]).of(testModel('a/m', ['a']))
  expect(reached('openai-chat', listed)).toBe(listed)
  expect(reached('google-generate', listed)).toBe(listed)
  const found = reached('anthropic-messages', listed)
  expect(found.map((one) => one.provider)).toEqual([messages, messages])
  expect(found.map(keyOf)).toEqual(['one', 'two'])
  expect(found.map((one) => one.health)).toEqual(listed.map((one) => one.health))
})

it('calls a provider in the formats that the upstream’s model speaks there', () => {
  const own = testProvider('a')
  const responses: Provider = { ...own, format: 'openai-responses' }
  const both: Provider = { ...own, providersByFormat: { 'openai-chat': own, 'openai-responses': responses } }
  const candidates = testBook([both])
  const calledWith = (...formats: FormatName[]): (string | undefined)[][] => {
    const all = candidates.of(testModel('a/m', [{ provider: 'a', formats }]))
    return (['openai-chat', 'openai-responses', 'anthropic-messages'] as const).map((format) =>
      reached(format, all).map(({ provider: one }) => one.format),
    )
  }
  expect(calledWith('openai-responses')).toEqual([
    ['openai-responses'],
    ['openai-responses'],
    ['openai-responses'],
  ])
  expect(calledWith('openai-responses', 'openai-chat')).toEqual([
    ['openai-chat'],
    ['openai-responses'],
    ['openai-responses'],
  ])
  expect(calledWith('google-generate')).toEqual([[], [], []])
})

it('lists a provider in each region with each key, whose health is one for all regions', () => {
  const inRegion = (region: string): Provider => testProvider('a', { apiKeys: ['one', 'two'], region })
  const east = inRegion('east')
  const west = inRegion('west')
  const both: Provider = { ...east, regions: [east, west] }
  const upstreams = ['east', 'west', 'north'].map((region) => ({ provider: 'a', region }))
  const found = testBook([both]).of(testModel('a/m', upstreams))
  const regions = found.map((one) => [one.provider.region, keyOf(one), one.health.region])
  expect(regions).toEqual([
    ['east', 'one', 'east'],
    ['east', 'two', 'east'],
    ['west', 'one', 'west'],
    ['west', 'two', 'west'],
  ])
  expect(found[0]!.health).not.toBe(found[2]!.health)
  expect(found[0]!.health.ofKey).toBe(found[2]!.health.ofKey)
})

it('gives a model that thinks for long a longer timeout, unless the operator sets one for it', () => {
  const timeouts = { connectMs: 1, firstByteMs: 20, idleMs: 30, totalMs: 40 }
  const candidates = testBook([testProvider('a', { timeouts })])
  const slow = testModel('a/m', ['a'], { patience: { firstByteMs: 25, idleMs: 25, totalMs: 50 } })
  const timeoutsOf = (one: CatalogModel) => candidates.of(one)[0]!.timeouts
  expect(timeoutsOf(slow)).toEqual({ connectMs: 1, firstByteMs: 25, idleMs: 30, totalMs: 50 })
  expect(timeoutsOf({ ...slow, timeouts: { totalMs: 2 } })).toMatchObject({ firstByteMs: 25, totalMs: 2 })
  expect(timeoutsOf(testModel('a/m', ['a']))).toBe(timeouts)
})
