import { parseRequest } from '@turnpike/dialects'
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '@turnpike/protocol'
import { billedUnits } from './billed-units.ts'
import { estimateInputTokens } from './estimate.ts'

const base: ModelRequest = parseRequest({ model: 'm', messages: [{ role: 'user', content: 'x' }] }).request

const said = (...content: ModelRequest['messages'][number]['content']): ModelRequest => ({
  ...base,
  messages: [{ role: 'user', content }],
})
const hour = { lifetime: '1h' } as const
const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } }

describe('what the input of a request may come to', () => {
  it('counts a document of text as text, and one of pages by its length', () => {
    const data = Buffer.alloc(30_000, 'word ').toString('base64')
    const document = (format: string): ModelRequest =>
      said({ kind: 'document', source: { type: 'base64', format, data } })
    expect(estimateInputTokens(document('text/plain'), 30_300)).toBe(10_100)
    expect(estimateInputTokens(document('application/pdf'), 40_300)).toBe(1_100)
  })

  it.each<[string, ModelRequest]>([
    ['a text', said({ kind: 'text', text: 'x', cache: hour })],
    [
      'a call',
      said({ kind: 'tool-call', id: 'c', name: 'f', arguments: '{}', variant: 'function', cache: hour }),
    ],
    ['a block of the vendor’s own', said({ kind: 'raw', value: { type: 'x', ...mark } })],
    ['a block within it', said({ kind: 'raw', value: { type: 'x', content: [{ content: [mark] }] } })],
    ['a tool', { ...base, tools: [{ kind: 'function', name: 'f', cache: hour }] }],
    ['a tool of the vendor’s own', { ...base, tools: [{ kind: 'raw', value: { type: 'x', ...mark } }] }],
    ['the whole request', { ...base, extensions: mark }],
  ])('holds for an hour in the cache: %s', (_what, request) => {
    expect(billedUnits(request)).toEqual(['cacheWrite1hTokens'])
    expect(billedUnits(base)).toEqual([])
  })
})
