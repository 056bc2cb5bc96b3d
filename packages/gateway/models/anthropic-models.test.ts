import { GatewayError } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { anthropicPage, type ListedModel } from './anthropic-models.ts'

const models = Array.from({ length: 45 }, (_, index): ListedModel => ({
  id: `vendor/m${index}`,
  name: `M ${index}`,
  created: 1_700_000_000 + index,
  context_length: 1_000,
  operations: ['generate' as const],
  max_output_tokens: 100,
}))

interface Page {
  data: { id: string }[]
  has_more: boolean
  first_id: string | null
  last_id: string | null
}
const page = (query: string, of = models): Page => anthropicPage(of, query) as Page

describe('the list of models in Anthropic’s shape', () => {
  it('has 20 models a page, and says whether more follow', () => {
    const first = page('')
    expect(first).toMatchObject({ has_more: true, first_id: 'vendor/m0', last_id: 'vendor/m19' })
    expect(first.data[0]).toEqual({
      type: 'model',
      id: 'vendor/m0',
      display_name: 'M 0',
      created_at: '2023-11-14T22:13:20Z',
      max_input_tokens: 1_000,
      max_tokens: 100,
    })
    const last = page('after_id=vendor%2Fm39')
    expect(last).toMatchObject({ has_more: false, first_id: 'vendor/m40', last_id: 'vendor/m44' })
  })

  it('pages backwards from a model, and returns all models with a large limit', () => {
    expect(page('before_id=vendor/m30&limit=5')).toMatchObject({ has_more: true, first_id: 'vendor/m25' })
    expect(page('before_id=vendor/m3')).toMatchObject({ has_more: false, last_id: 'vendor/m2' })
    expect(page('limit=1000').data).toHaveLength(45)
    expect(page('', [])).toEqual({ data: [], has_more: false, first_id: null, last_id: null })
  })

  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=', 'limit'],
    ['after_id=nobody', 'after_id'],
    ['before_id=', 'before_id'],
  ])('refuses %s', (query, param) => {
    expect(() => page(query)).toThrow(expect.objectContaining({ param, status: 400 }) as GatewayError)
  })
})
