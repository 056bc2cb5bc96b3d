import { parseRequest } from '@turnpike/dialects'
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '@turnpike/protocol'
import { findBilledUnits } from './billed-units.ts'
import type { Candidate } from '../../candidates/candidate.ts'
import { estimate, estimateInputTokens } from './estimate.ts'

const base: ModelRequest = parseRequest({ model: 'm', messages: [{ role: 'user', content: 'x' }] }).request

const requestWith = (...content: ModelRequest['messages'][number]['content']): ModelRequest => ({
  ...base,
  messages: [{ role: 'user', content }],
})
const hour = { lifetime: '1h' } as const
const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } }

describe('the estimate of a request’s input', () => {
  const data = Buffer.alloc(30_000, 'word ').toString('base64')
  const document = (format: string, held = data): ModelRequest =>
    requestWith({ kind: 'document', source: { type: 'base64', format, data: held } })

  it.each(['text/plain', 'TEXT/PLAIN', 'application/json', 'application/x-yaml', 'application/pdf', ''])(
    'counts a document of text as text, whatever it is called: %s',
    (format) => {
      expect(estimateInputTokens(document(format), 40_300)).toBeGreaterThanOrEqual(10_100)
    },
  )

  it('counts an image of low detail as small only for vendors that do', () => {
    const picture = {
      kind: 'image' as const,
      source: { type: 'base64' as const, format: 'image/png', data: 'AAAA' },
    }
    const at = (...vendors: string[]): number => {
      const candidates = vendors.map((vendor) => ({
        provider: { vendor },
        model: { contextLength: 100_000 },
      }))
      const request = requestWith({ ...picture, detail: 'low' })
      return estimate(request, 304, candidates as unknown as Candidate[]).inputTokens
    }
    expect(at('openai')).toBe(100 + 85)
    expect(at('openai', 'anthropic')).toBe(100 + 1_105)
    expect(at('openrouter')).toBe(100 + 1_105)
  })

  it('counts a video by the length in its header, and audio and images by their own', () => {
    const head = Buffer.alloc(32)
    head.write('mvhd')
    head.writeUInt32BE(1_000, 16)
    head.writeUInt32BE(90_000, 20)
    const film = Buffer.concat([Buffer.alloc(300), head, Buffer.alloc(2_668)]).toString('base64')
    expect(estimateInputTokens(document('video/mp4', film), 4_300)).toBe(100 + 90 * 300)
    expect(estimateInputTokens(document('video/webm'), 40_300)).toBe(100 + 1_000)
    expect(estimateInputTokens(document('audio/ogg'), 40_300)).toBe(100 + 30 * 32)
    expect(estimateInputTokens(document('image/heic'), 40_300)).toBe(100 + 1_105)
  })

  it.each<[string, ModelRequest]>([
    ['a text', requestWith({ kind: 'text', text: 'x', cache: hour })],
    [
      'a call',
      requestWith({
        kind: 'tool-call',
        id: 'c',
        name: 'f',
        arguments: '{}',
        variant: 'function',
        cache: hour,
      }),
    ],
    ['a block of the vendor’s own', requestWith({ kind: 'raw', value: { type: 'x', ...mark } })],
    ['a block within it', requestWith({ kind: 'raw', value: { type: 'x', content: [{ content: [mark] }] } })],
    ['a tool', { ...base, tools: [{ kind: 'function', name: 'f', cache: hour }] }],
    ['a tool of the vendor’s own', { ...base, tools: [{ kind: 'raw', value: { type: 'x', ...mark } }] }],
    ['the whole request', { ...base, extensions: mark }],
  ])('holds for a one-hour cache: %s', (_what, request) => {
    expect(findBilledUnits(request)).toEqual(['cacheWrite1hTokens'])
    expect(findBilledUnits(base)).toEqual([])
  })
})
