import { fold, type ModelResponse } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { parseProof } from '../answers/reasoning-proof.ts'
import {
  streamedAnswers,
  tellStream,
  tellWhole,
  wholeAnswers,
  type Telling,
} from '../testing/recorded-answers.ts'
import { openaiResponsesCaller } from './caller.ts'
import type { OutputItem } from './items.ts'
import { eventsOf, readItems, type Response } from './testing/read-events.ts'

// Without `passThrough`, the format is also translated to itself.
const { passThrough: _bytes, ...format } = openaiResponsesCaller
const telling: Telling = {
  format,
  head: { id: 'resp_ours', model: 'vendor/möbel', created: 1_700_000_000, includeUsage: true },
  cost: { usd: '0.000123' },
}

/** What the Responses format can express of an answer, read from its parts. */
function summarizeParts({ choices }: ModelResponse): unknown {
  const [choice] = choices
  const blocks = choice?.blocks ?? []
  const reason = choice?.finish?.reason
  return {
    text: blocks.flatMap(({ kind, text }) => (kind === 'text' ? [text] : [])).join(''),
    refusal: blocks.flatMap(({ kind, text }) => (kind === 'refusal' ? [text] : [])).join(''),
    reasoning: blocks.flatMap(({ kind, text }) => (kind === 'reasoning' ? [text] : [])).join(''),
    proofs: blocks.flatMap(({ signature, encrypted }) => encrypted ?? signature ?? []),
    calls: blocks.flatMap(({ toolCall, text }) =>
      toolCall === undefined ? [] : [{ name: toolCall.name, text: text.trim() === '' ? '{}' : text }],
    ),
    status: reason === 'length' || reason === 'content-filter' ? 'incomplete' : 'completed',
  }
}

/** The same, read from the answer's items. */
function summarizeItems({ output, status }: Response): unknown {
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []))
  const thoughts = output.filter((item) => item.type === 'reasoning')
  return {
    text: parts.flatMap((part) => (part.type === 'output_text' ? [part.text] : [])).join(''),
    refusal: parts.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : [])).join(''),
    reasoning: thoughts
      .flatMap(({ summary, content }) => [...summary, ...(content ?? [])])
      .map(({ text }) => text)
      .join(''),
    proofs: thoughts.flatMap(({ encrypted_content: proof = '' }) => {
      const { signature, encrypted } = parseProof(proof) ?? { encrypted: proof }
      const own = encrypted ?? signature ?? ''
      return own === '' ? [] : [own]
    }),
    calls: output.flatMap((item) => callIn(item)),
    status,
  }
}

function callIn(item: OutputItem): { name: string; text: string }[] {
  if (item.type === 'function_call') return [{ name: item.name, text: item.arguments }]
  return item.type === 'custom_tool_call' ? [{ name: item.name, text: item.input }] : []
}

describe('a recorded stream, translated to Responses', () => {
  it.each(streamedAnswers)('%s', (_, answer) => {
    const { whole, parts, usage, error } = tellStream(telling, answer)
    const events = eventsOf(whole)
    const last = events.at(-1)!
    const { length } = answer.bytes
    for (let cut = 1; cut < length; cut += Math.max(1, Math.floor(length / 100)))
      expect(tellStream(telling, answer, cut).whole).toBe(whole)
    if (error !== undefined) return expect(last.type).toBe('response.failed')
    const response = last.response!
    expect(last.type).toBe(`response.${response.status}`)
    expect(readItems(events)).toEqual(response.output)
    expect(summarizeItems(response)).toEqual(summarizeParts(fold(parts).response))
    expect(response).toMatchObject({
      id: 'resp_ours',
      object: 'response',
      model: 'vendor/möbel',
      error: null,
    })
    if (usage === undefined) expect(response.usage).toBeNull()
    else expect(response.usage).toMatchObject({ cost_usd: '0.000123', cost: 0.000123 })
  })
})

describe('a recorded stream that breaks off', () => {
  it.each(streamedAnswers)('%s', (_, { vendorFormat, bytes }) => {
    const cut = { vendorFormat, bytes: bytes.subarray(0, Math.floor(bytes.length / 3)) }
    const { whole, error } = tellStream(telling, cut)
    if (error === undefined) return
    const events = eventsOf(whole)
    expect(events.map(({ type }) => type)).not.toContain('response.completed')
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed' } })
  })
})

describe('a recorded whole answer, translated to Responses', () => {
  it.each(wholeAnswers)('%s', (_, answer) => {
    const answers = tellWhole(telling, answer)
    if (answers === undefined) return
    expect(answers.body).toMatchObject({ id: 'resp_ours', object: 'response', model: 'vendor/möbel' })
    expect(summarizeItems(answers.body as Response)).toEqual(summarizeParts(answers.response))
  })
})
