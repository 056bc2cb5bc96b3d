import { compilePricing } from '@turnpike/billing'
import { Catalog, type CatalogModel, type Provider } from '@turnpike/vendors'
import { describe, expect, it } from 'vitest'
import { CandidateBook } from '../candidates/candidate-book.ts'
import { HealthBook } from '../candidates/health/health-book.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Parsed } from '../context/stages.ts'
import { chooseModel } from './choose-model.ts'

const model = {
  id: 'openai/gpt-4o',
  aliases: { 'gpt-4o-2024-08-06': 'gpt-4o-2024-08-06' },
  upstreams: [{ provider: 'openai', model: 'gpt-4o' }],
  fallbacks: [],
} as unknown as CatalogModel
const prices = new Map([[model.id, compilePricing({ prompt: '1', completion: '1' }, '1.0')]])
const openai = { name: 'openai', apiKeys: [] as string[] } as Provider
const gateway = {
  catalog: new Catalog([model]),
  prices,
  candidates: new CandidateBook({
    prices,
    providers: new Map([['openai', openai]]),
    markup: '1.0',
    health: new HealthBook(undefined),
  }),
} as unknown as Gateway

function chosen(asked: string, allowed: string[] | null): string {
  const request = {
    key: { allowedModels: allowed === null ? null : new Set(allowed) },
    call: { request: { model: asked }, fallbackModels: [] },
    record: {},
  } as unknown as Parsed
  return chooseModel(request, gateway).upstream.model
}

describe("a key's list of models", () => {
  it.each([
    ['no list', 'gpt-4o-2024-08-06', null, 'gpt-4o-2024-08-06'],
    ['the model: all its versions', 'gpt-4o-2024-08-06', ['openai/gpt-4o'], 'gpt-4o-2024-08-06'],
    ['the model by its bare name', 'gpt-4o', ['openai/gpt-4o'], 'gpt-4o'],
    ['one version', 'openai/gpt-4o-2024-08-06', ['openai/gpt-4o-2024-08-06'], 'gpt-4o-2024-08-06'],
    [
      'one version, asked for by its bare name',
      'gpt-4o-2024-08-06',
      ['openai/gpt-4o-2024-08-06'],
      'gpt-4o-2024-08-06',
    ],
  ])('%s', (_, asked, allowed, expected) => {
    expect(chosen(asked, allowed)).toBe(expected)
  })

  it.each([
    ['one version is not the model', 'openai/gpt-4o', ['openai/gpt-4o-2024-08-06']],
    ['an empty list', 'gpt-4o', []],
    ['another model', 'gpt-4o', ['openai/gpt-4o-mini']],
  ])('%s: 403', (_, asked, allowed) => {
    expect(() => chosen(asked, allowed)).toThrow(
      expect.objectContaining({ status: 403, param: 'model' }) as Error,
    )
  })
})
