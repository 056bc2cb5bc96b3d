import { compilePricing } from '@turnpike/billing'
import type { FormatName } from '@turnpike/dialects'
import { Catalog, type CatalogModel, type Provider } from '@turnpike/vendors'
import { expect, it } from 'vitest'
import { candidatesInFormat, type Candidate } from './candidate.ts'
import { keyCredentials } from '../upstream/credentials/key-credentials.ts'
import { CandidateBook, type CandidateSources } from './candidate-book.ts'
import { HealthBook } from './health/health-book.ts'

const provider = (name: string, apiKeys: string[]): [string, Provider] => [
  name,
  { name, apiKeys, format: 'openai-chat' } as unknown as Provider,
]
const model = (id: string, providers: string[]): CatalogModel =>
  ({
    id,
    operations: ['generate'],
    upstreams: providers.map((name) => ({ provider: name, model: 'm' })),
  }) as unknown as CatalogModel
const prices = new Map([['a/m', compilePricing({ prompt: '1', completion: '1' }, '1.0')]])
const providers = new Map([provider('a', ['one', 'two']), provider('b', [])])
const bookOf = (sources: Omit<CandidateSources, 'credentials'>): CandidateBook =>
  new CandidateBook({ ...sources, credentials: keyCredentials(sources.providers.values()) })
const book = bookOf({ prices, providers, markup: '1.0', health: new HealthBook(undefined) })
const keyOf = ({ credential }: Candidate): string | undefined => credential.secrets()[0]

const reached = (name: FormatName, all: readonly Candidate[]): readonly Candidate[] =>
  candidatesInFormat({ name, operation: 'generate' }, all)

it('tries each upstream with each of its keys, in their order', () => {
  const several = model('a/m', ['a', 'gone', 'b'])
  const tried = book.of(several).map((one) => [one.provider.name, keyOf(one), one.keyNumber])
  expect(tried).toEqual([
    ['a', 'one', 1],
    ['a', 'two', 2],
    ['b', undefined, undefined],
  ])
  expect(book.of(several)).toBe(book.of(several))
})

it('has no candidates for a model without a price, or without a provider', () => {
  expect(book.of(model('a/unpriced', ['a']))).toEqual([])
  expect(book.of(model('a/m', ['gone']))).toEqual([])
})

it('charges the upstream’s own price with the markup, also for a dated version', () => {
  const pricing = { prompt: '3', completion: '4' }
  const own = {
    ...model('a/m', []),
    dated: true,
    upstreams: [
      { provider: 'b', model: 'm' },
      { provider: 'a', model: 'other', pricing },
    ],
  } as CatalogModel
  const catalog = new Catalog([own])
  const [plain, version] = ['a/m', 'a/m-2024-08-06'].map((name) => book.of(catalog.resolve(name)))
  expect(plain!.map(({ prices: { pricing: of } }) => of.prompt)).toEqual(['1', '3', '3'])
  expect(version!.map(({ upstream }) => upstream.model)).toEqual(['m-2024-08-06', 'other', 'other'])
  // A version shares the model's limits and failures.
  expect(version!.map(({ health }) => health)).toEqual(plain!.map(({ health }) => health))
  expect(version!.map(({ prices: table }) => table)).toEqual(plain!.map(({ prices: table }) => table))
  expect(version![1]!.prices).toBe(plain![1]!.prices)
})

it('offers callers of each format that a provider speaks the provider in that format, with the same keys', () => {
  const own = { name: 'a', apiKeys: ['one', 'two'], format: 'openai-chat' } as unknown as Provider
  const messages: Provider = { ...own, format: 'anthropic-messages' }
  const both: Provider = { ...own, inFormat: { 'anthropic-messages': messages } }
  const health = new HealthBook(undefined)
  const sources = { prices, providers: new Map([['a', both]]), markup: '1.0', health }
  const listed = bookOf(sources).of(model('a/m', ['a']))
  expect(reached('openai-chat', listed)).toBe(listed)
  expect(reached('google-generate', listed)).toBe(listed)
  const found = reached('anthropic-messages', listed)
  expect(found.map((one) => one.provider)).toEqual([messages, messages])
  expect(found.map(keyOf)).toEqual(['one', 'two'])
  expect(found.map((one) => one.health)).toEqual(listed.map((one) => one.health))
})

it('calls a provider in the formats that the upstream’s model speaks there', () => {
  const own = { name: 'a', apiKeys: [], format: 'openai-chat' } as unknown as Provider
  const responses: Provider = { ...own, format: 'openai-responses' }
  const both: Provider = { ...own, providersByFormat: { 'openai-chat': own, 'openai-responses': responses } }
  const health = new HealthBook(undefined)
  const candidates = bookOf({ prices, providers: new Map([['a', both]]), markup: '1.0', health })
  const calledWith = (...formats: FormatName[]): (string | undefined)[][] => {
    const asked = {
      id: 'a/m',
      operations: ['generate'],
      upstreams: [{ provider: 'a', model: 'm', formats }],
    } as unknown as CatalogModel
    const all = candidates.of(asked)
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

it('lists a provider in each of its regions with each of its keys, and each key has one health for all regions', () => {
  const inRegion = (region: string): Provider =>
    ({ name: 'a', apiKeys: ['one', 'two'], format: 'openai-chat', region }) as unknown as Provider
  const east = inRegion('east')
  const west = inRegion('west')
  const both: Provider = { ...east, regions: [east, west] }
  const upstreams = ['east', 'west', 'north'].map((region) => ({ provider: 'a', model: 'm', region }))
  const found = bookOf({
    prices,
    providers: new Map([['a', both]]),
    markup: '1.0',
    health: new HealthBook(undefined),
  }).of({ ...model('a/m', []), upstreams })
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
  const patient = { name: 'a', apiKeys: [], format: 'openai-chat', timeouts } as unknown as Provider
  const health = new HealthBook(undefined)
  const candidates = bookOf({
    prices,
    providers: new Map([['a', patient]]),
    markup: '1.0',
    health,
  })
  const slow: CatalogModel = {
    ...model('a/m', ['a']),
    patience: { firstByteMs: 25, idleMs: 25, totalMs: 50 },
  }
  const timeoutsOf = (one: CatalogModel) => candidates.of(one)[0]!.timeouts
  expect(timeoutsOf(slow)).toEqual({ connectMs: 1, firstByteMs: 25, idleMs: 30, totalMs: 50 })
  expect(timeoutsOf({ ...slow, timeouts: { totalMs: 2 } })).toMatchObject({ firstByteMs: 25, totalMs: 2 })
  expect(timeoutsOf(model('a/m', ['a']))).toBe(timeouts)
})
