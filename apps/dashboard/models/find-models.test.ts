import { describe, expect, test } from 'vitest'
import { findModels } from './find-models.ts'

const models = [
  ['anthropic/claude-opus-4-1', 'Claude Opus 4.1'],
  ['anthropic/claude-sonnet-4-5', 'Claude Sonnet 4.5'],
  ['azure/gpt-4o', 'GPT-4o'],
  ['google/gemini-2.5-flash', 'Gemini 2.5 Flash'],
  ['openai/gpt-4', 'GPT-4'],
  ['openai/gpt-4o', 'GPT-4o'],
  ['openai/gpt-4o-mini', 'GPT-4o mini'],
  ['openai/gpt-5', 'GPT-5'],
  ['openrouter/openai/gpt-4o', 'OpenAI: GPT-4o'],
].map(([id, name]) => ({ id: id!, name: name! }))

const found = (search: string): string[] => findModels(models, search).map(({ id }) => id)

describe('findModels', () => {
  test.each([
    ['gpt4o', ['azure/gpt-4o', 'openai/gpt-4o', 'openai/gpt-4o-mini', 'openrouter/openai/gpt-4o']],
    ['GPT 4o mini', ['openai/gpt-4o-mini']],
    ['openai gpt5', ['openai/gpt-5']],
    ['claude 4.5', ['anthropic/claude-sonnet-4-5']],
    ['sonnet', ['anthropic/claude-sonnet-4-5']],
    ['opus claude', ['anthropic/claude-opus-4-1']],
    ['OpenAI/GPT-4O', ['openai/gpt-4o', 'openrouter/openai/gpt-4o', 'openai/gpt-4o-mini']],
  ])('finds models by "%s"', (search, ids) => expect(found(search)).toEqual(ids))

  test.each([
    ['sonet', ['anthropic/claude-sonnet-4-5']],
    ['cluade opus', ['anthropic/claude-opus-4-1']],
    ['clsonnet45', ['anthropic/claude-sonnet-4-5']],
    ['gemnii', ['google/gemini-2.5-flash']],
  ])('finds them by the mistyped or shortened "%s"', (search, ids) => expect(found(search)).toEqual(ids))

  test('never matches a model with another number', () => {
    expect(found('gpt6')).toEqual([])
    expect(found('gemini 3')).toEqual([])
    expect(found('gpt-45')).toEqual([])
  })

  test('returns all models for a search without letters or digits, and none for an unknown name', () => {
    expect(found('  ')).toHaveLength(models.length)
    expect(found('-- /')).toHaveLength(models.length)
    expect(found('.*+?(')).toHaveLength(models.length)
    expect(found('zzz')).toEqual([])
  })

  test('is fast, however long the search is', () => {
    const long = { id: `house/${'a'.repeat(60)}b`, name: 'A' }
    const search = `${'a'.repeat(40)}c ${'gpt '.repeat(2_000)}`
    expect(findModels([long], search)).toEqual([])
    expect(findModels([long], 'a'.repeat(5_000))).toEqual([])
  })
})
