import { compilePricing } from '@turnpike/billing'
import { anthropicMessagesCaller, openaiChatCaller } from '@turnpike/dialects'
import { Catalog } from '@turnpike/vendors'
import { describe, expect, it } from 'vitest'
import type { Gateway } from '../context/gateway.ts'
import type { Parsed } from '../context/stages.ts'
import { generate } from '../operations/generate/rules.ts'
import { testBook, testModel, testProvider } from '../testing/candidates.ts'
import { chooseModel } from './choose-model.ts'

const model = testModel('openai/gpt-4o', [{ provider: 'openai', model: 'gpt-4o' }], {
  aliases: { 'gpt-4o-2024-08-06': 'gpt-4o-2024-08-06' },
  fallbacks: ['openai/vectors'],
})
const vectors = testModel('openai/vectors', [{ provider: 'openai', model: 'vectors' }], {
  operations: ['embed', 'rerank'],
  fallbacks: [],
})
const prices = new Map(
  [model, vectors].map(({ id }) => [id, compilePricing({ prompt: '1', completion: '1' }, '1.0')]),
)
const gateway = {
  catalog: new Catalog([model, vectors]),
  prices,
  candidates: testBook([testProvider('openai')], { prices }),
} as unknown as Gateway

function requestFor(name: string, more: object = {}): Parsed {
  return {
    format: openaiChatCaller,
    operation: generate,
    key: { allowedModels: null },
    call: { request: { model: name }, fallbackModels: [] },
    record: {},
    ...more,
  } as unknown as Parsed
}

function chosen(name: string, allowed: string[] | null): string {
  const request = requestFor(name, {
    key: { allowedModels: allowed === null ? null : new Set(allowed) },
  })
  return chooseModel(request, gateway).candidates[0]!.upstream.model
}

describe('a key’s list of models', () => {
  it.each([
    ['no list', 'gpt-4o-2024-08-06', null, 'gpt-4o-2024-08-06'],
    ['the model: all its versions', 'gpt-4o-2024-08-06', ['openai/gpt-4o'], 'gpt-4o-2024-08-06'],
    ['the model by its bare name', 'gpt-4o', ['openai/gpt-4o'], 'gpt-4o'],
    ['one version', 'openai/gpt-4o-2024-08-06', ['openai/gpt-4o-2024-08-06'], 'gpt-4o-2024-08-06'],
    [
      'one version, requested by its bare name',
      'gpt-4o-2024-08-06',
      ['openai/gpt-4o-2024-08-06'],
      'gpt-4o-2024-08-06',
    ],
  ])('%s', (_, name, allowed, expected) => {
    expect(chosen(name, allowed)).toBe(expected)
  })

  it.each([
    ['one version is not the model', 'openai/gpt-4o', ['openai/gpt-4o-2024-08-06']],
    ['an empty list', 'gpt-4o', []],
    ['another model', 'gpt-4o', ['openai/gpt-4o-mini']],
  ])('%s: 403', (_, name, allowed) => {
    expect(() => chosen(name, allowed)).toThrow(
      expect.objectContaining({ status: 403, param: 'model' }) as Error,
    )
  })
})

describe('a model without the operation', () => {
  it.each([openaiChatCaller, anthropicMessagesCaller])('is a 400 at $path that names the model', (format) => {
    expect(() => chooseModel(requestFor('openai/vectors', { format }), gateway)).toThrow(
      expect.objectContaining({
        status: 400,
        param: 'model',
        message:
          `The model "openai/vectors" supports embed and rerank, but ${format.path} needs generate. ` +
          "GET /v1/models lists each model's operations.",
      }) as Error,
    )
  })

  it('is a 400 among the fallback models', () => {
    const call = { request: { model: 'openai/gpt-4o' }, fallbackModels: ['gpt-4o', 'vectors'] }
    expect(() => chooseModel(requestFor('', { call }), gateway)).toThrow(
      expect.objectContaining({ status: 400, param: 'models[1]' }) as Error,
    )
  })

  it('is skipped among the operator’s configured fallbacks', () => {
    const { candidates } = chooseModel(requestFor('openai/gpt-4o'), gateway)
    expect(candidates.map(({ model: { id } }) => id)).toEqual(['openai/gpt-4o'])
  })

  it('is not revealed to a key that may not use it', () => {
    const key = { allowedModels: new Set(['openai/gpt-4o']) }
    expect(() => chooseModel(requestFor('openai/vectors', { key }), gateway)).toThrow(
      expect.objectContaining({ status: 403 }) as Error,
    )
  })
})
