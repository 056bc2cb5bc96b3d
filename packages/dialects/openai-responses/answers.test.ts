import { fold, type ModelResponse, type StreamPart, type Usage } from '@turnpike/protocol'
import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { describe, expect, it } from 'vitest'
import { parseProof } from '../answers/reasoning-proof.ts'
import { openBridge } from '../answers/translating-bridge.ts'
import { readWholeAnswer } from '../answers/whole-answer.ts'
import { parseJson } from '../json/parse-json.ts'
import { generateFormats } from '../registry.ts'
import type { GenerateFormatName, GenerateFormat } from '../vendor.ts'
import { openaiResponsesCaller } from './caller.ts'
import type { OutputItem } from './items.ts'
import { eventsOf, readItems, type Response } from './testing/read-events.ts'

const recordings = allRecordings()

// To itself it is not translated: `pass-through/`.
const { passThrough: _bytes, ...format } = openaiResponsesCaller
const head = { id: 'resp_ours', model: 'vendor/möbel', created: 1_700_000_000, includeUsage: true }
const cost = { usd: '0.000123' }

const vendorFormatOf: Record<string, GenerateFormatName> = {
  responses: 'openai-responses',
  messages: 'anthropic-messages',
  generateContent: 'google-generate',
  streamGenerateContent: 'google-generate',
}
const chatFormats: Record<string, GenerateFormatName> = { mistral: 'mistral-chat', deepseek: 'deepseek-chat' }

function vendorOf({ vendor, api }: RecordedCase): GenerateFormat | undefined {
  const name = api === 'chat' ? (chatFormats[vendor] ?? 'openai-chat') : vendorFormatOf[api]
  return name === undefined ? undefined : generateFormats[name]
}

const answers = recordings.cases.filter((one) => one.status === 200 && vendorOf(one) !== undefined)
const named = (cases: readonly RecordedCase[]): [string, RecordedCase][] => cases.map((one) => [one.id, one])

/** What a caller of Responses can be told of an answer, read from its parts. */
function meant({ choices }: ModelResponse): unknown {
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
function told({ output, status }: Response): unknown {
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

interface Streamed {
  text: string
  parts: StreamPart[]
  usage: Usage | undefined
  error: boolean
}

function streamed(vendorFormat: GenerateFormat, bytes: Buffer, cut = 0): Streamed {
  const seen: Streamed = { text: '', parts: [], usage: undefined, error: false }
  const bridge = openBridge(format, vendorFormat, head, {
    onEvent(parts, text) {
      seen.text += text
      seen.parts.push(...parts)
      for (const part of parts) {
        if (part.type === 'usage') seen.usage = part.usage
        if (part.type === 'error') seen.error = true
      }
    },
  })
  bridge.push(bytes.subarray(0, cut))
  bridge.push(bytes.subarray(cut))
  bridge.end()
  const failure = seen.parts.find((part) => part.type === 'error')
  seen.text +=
    failure === undefined ? bridge.closing(seen.usage, cost) : bridge.failing(failure.error, 'req_1')
  return seen
}

describe('a recorded stream, told as Responses', () => {
  it.each(named(answers.filter(({ stream }) => stream)))('%s', (_, recorded) => {
    const vendorFormat = vendorOf(recorded)!
    const bytes = recordings.response(recorded.id)
    const whole = streamed(vendorFormat, bytes)
    const events = eventsOf(whole.text)
    const last = events.at(-1)!
    for (let cut = 1; cut < bytes.length; cut += Math.max(1, Math.floor(bytes.length / 100)))
      expect(streamed(vendorFormat, bytes, cut).text).toBe(whole.text)
    if (whole.error) return expect(last.type).toBe('response.failed')
    const response = last.response!
    expect(last.type).toBe(`response.${response.status}`)
    expect(readItems(events)).toEqual(response.output)
    expect(told(response)).toEqual(meant(fold(whole.parts).response))
    expect(response).toMatchObject({
      id: 'resp_ours',
      object: 'response',
      model: 'vendor/möbel',
      error: null,
    })
    if (whole.usage === undefined) expect(response.usage).toBeNull()
    else expect(response.usage).toMatchObject({ cost_usd: '0.000123', cost: 0.000123 })
  })
})

describe('a recorded stream that breaks off', () => {
  it.each(named(answers.filter(({ stream }) => stream)))('%s', (_, recorded) => {
    const bytes = recordings.response(recorded.id)
    const { text, error } = streamed(vendorOf(recorded)!, bytes.subarray(0, Math.floor(bytes.length / 3)))
    if (!error) return
    const events = eventsOf(text)
    expect(events.map(({ type }) => type)).not.toContain('response.completed')
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed' } })
  })
})

describe('a recorded whole answer, told as Responses', () => {
  it.each(named(answers.filter(({ stream }) => !stream)))('%s', (_, recorded) => {
    const vendorFormat = vendorOf(recorded)!
    const text = recordings.response(recorded.id).toString('utf8')
    const { response, error } = fold(vendorFormat.operations.generate.decodeResponse(parseJson(text)))
    if (error !== undefined)
      return expect(() => readWholeAnswer(format, vendorFormat, text, head)).toThrow(error.message)
    const answer = readWholeAnswer(format, vendorFormat, text, head)
    const body = JSON.parse(answer.body(answer.usage, cost)) as Response
    expect(body).toMatchObject({ id: 'resp_ours', object: 'response', model: 'vendor/möbel' })
    expect(told(body)).toEqual(meant(response))
  })
})
