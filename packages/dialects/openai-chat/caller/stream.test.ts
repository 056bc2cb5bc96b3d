import type { BlockKind, StreamPart } from '@turnpike/protocol'
import fc from 'fast-check'
import { expect } from 'vitest'
import { holdsForAll } from '../../testing/holds-for-all.ts'
import { utf8 } from '../../sse/parser.ts'
import { ChatEncoder } from './stream.ts'

const head = { id: 'ours "1"', model: 'vendor/ö', created: 1_700_000_000 }

const kinds: BlockKind[] = ['text', 'refusal', 'reasoning', 'tool-call', 'raw']
const toolCall = fc.record({
  id: fc.string({ unit: 'grapheme' }),
  name: fc.string(),
  variant: fc.constantFrom('function' as const, 'custom' as const, 'legacy-function' as const),
})

/** A block from start to end, with any text, including incomplete characters. */
const block = fc.record({
  choice: fc.nat({ max: 1 }),
  kind: fc.constantFrom(...kinds),
  toolCall,
  texts: fc.array(fc.string({ unit: 'binary' })),
  signature: fc.option(fc.string(), { nil: undefined }),
  logprobs: fc.option(fc.constant({ content: [], refusal: null }), { nil: undefined }),
})

type Block = typeof block extends fc.Arbitrary<infer Value> ? Value : never

function partsOf(blocks: readonly Block[]): StreamPart[] {
  return blocks.flatMap(({ choice, kind, texts, signature, logprobs, ...rest }, number) => {
    const at = { choice, block: number }
    const call = kind === 'tool-call' ? { toolCall: rest.toolCall } : {}
    const extra = kind === 'text' && logprobs !== undefined ? { logprobs } : {}
    const value = kind === 'raw' ? { value: { some: 'ö' } } : {}
    return [
      { type: 'block-start' as const, ...at, kind, ...call },
      ...texts.map((text) => ({ type: 'block-delta' as const, ...at, text, ...extra, ...value })),
      { type: 'block-end' as const, ...at, ...(signature === undefined ? {} : { signature }) },
    ]
  })
}

const settings = fc.record({ includeUsage: fc.boolean(), reasoningHidden: fc.boolean() })
holdsForAll('writes the same chunks as text and as objects', [fc.array(block), settings], (blocks, order) => {
  const written = new ChatEncoder({ ...head, ...order })
  const pushed = new ChatEncoder({ ...head, ...order })
  for (const part of partsOf(blocks)) {
    const text = written.write(part)
    const chunk = pushed.push(part)
    expect(text === '' ? undefined : JSON.parse(utf8(text).slice('data: '.length))).toEqual(chunk)
    expect(Buffer.from(text, 'latin1').toString('latin1')).toBe(text)
  }
})
