import { fold, type ModelResponse, type StreamPart } from '@turnpike/protocol'
import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { describe, expect, it } from 'vitest'
import { decodeBytes } from '../testing/vendor-contract.ts'
import { misplacedParts } from '../testing/well-formed.ts'
import { recordedEvents } from './testing/read-events.ts'
import { openaiResponses } from './vendor.ts'

const recordings = allRecordings()
const ofResponses = recordings.cases.filter(({ api }) => api === 'responses')
const answers = ofResponses.filter(({ status }) => status === 200)
const streams = answers.filter(({ stream }) => stream)
/** Recordings that are missing some deltas, or contain two answers one after the other. */
const edited: ReadonlySet<string> = new Set([
  'vercel-ai-openai-phase-1-chunks',
  'vercel-ai-openai-shell-container-1-chunks',
  'vercel-ai-openai-shell-tool-1-chunks',
])
const named = (cases: readonly RecordedCase[]): [string, RecordedCase][] => cases.map((one) => [one.id, one])

interface Content {
  type: string
  text?: string
  refusal?: string
}

interface Item {
  type: string
  call_id?: string
  name?: string
  arguments?: string
  input?: string
  content?: Content[]
  summary?: Content[]
  encrypted_content?: string
}

interface Response {
  status: string
  output: Item[]
  usage: {
    input_tokens: number
    input_tokens_details: { cached_tokens: number }
    output_tokens: number
    output_tokens_details: { reasoning_tokens: number }
  }
}

interface Event {
  type: string
  output_index: number
  item: Item
  response: Response
}

/** The items and counts of an answer, read without the decoder. */
function readApart({ status, output, usage }: Response): unknown {
  const calls = output.filter(({ type }) => type === 'function_call' || type === 'custom_tool_call')
  const thoughts = output.filter(({ type }) => type === 'reasoning')
  const { input_tokens: prompt, output_tokens: completion } = usage
  const cached = usage.input_tokens_details.cached_tokens
  const reasoned = usage.output_tokens_details.reasoning_tokens
  return {
    text: output
      .flatMap(({ type, content }) => (type === 'message' ? content! : []))
      .map(({ text = '', refusal = '' }) => text + refusal)
      .join(''),
    thoughts: thoughts
      .map(({ content = [], summary = [] }) => (content.length > 0 ? content : summary))
      .map((parts) => parts.map(({ text }) => text).join('\n\n'))
      .join(''),
    proofs: thoughts.flatMap(({ encrypted_content: proof }) => proof || []),
    calls: calls.map((one) => [one.call_id, one.name, (one.arguments ?? one.input) || '{}']),
    finish: status === 'incomplete' ? 'length' : calls.length > 0 ? 'tool-calls' : 'stop',
    counts:
      prompt + completion === 0 ? undefined : [prompt - cached, cached, completion - reasoned, reasoned],
  }
}

function decoded({ choices, usage }: ModelResponse): unknown {
  const [choice] = choices
  const blocks = choice?.blocks ?? []
  const textOf = (...kinds: string[]): string =>
    blocks.map((block) => (kinds.includes(block.kind) ? block.text : '')).join('')
  return {
    text: textOf('text', 'refusal'),
    thoughts: textOf('reasoning'),
    proofs: blocks.flatMap(({ encrypted }) => encrypted ?? []),
    calls: blocks.flatMap(({ toolCall, text }) =>
      toolCall === undefined ? [] : [[toolCall.id, toolCall.name, text]],
    ),
    finish: choice?.finish?.reason,
    counts: usage && [
      usage.inputTokens! + (usage.cacheWriteTokens ?? 0),
      usage.cacheReadTokens,
      usage.outputTokens,
      usage.reasoningTokens,
    ],
  }
}

const eventsOf = ({ id }: Pick<RecordedCase, 'id'>): Event[] =>
  recordedEvents(recordings.response(id)) as unknown as Event[]

const errors = (parts: readonly StreamPart[]): number => parts.filter(({ type }) => type === 'error').length

describe('recorded answers of vendors of Responses', () => {
  it.runIf(recordings.areReal)('are available', () => expect(answers.length).toBeGreaterThan(40))

  it.each(named(streams.filter(({ id }) => !edited.has(id))))('are decoded streamed: %s', (_id, recorded) => {
    const bytes = recordings.response(recorded.id)
    const parts = decodeBytes(openaiResponses, [bytes])
    expect(fold(parts).error).toBeUndefined()
    expect(misplacedParts(parts)).toEqual([])
    const events = eventsOf(recorded)
    const { response } = events.findLast(({ type }) => /^response\.(?:completed|incomplete)$/u.test(type))!
    // Some final events repeat no items: then the items of earlier events count.
    const output: Item[] = []
    for (const { type, output_index: at, item } of events)
      if (type === 'response.output_item.done') output[at] = item
    expect(decoded(fold(parts).response)).toEqual(
      readApart({ ...response, output: output.filter((item) => item !== undefined) }),
    )
    for (const share of [0.2, 0.5, 0.9]) {
      const cut = bytes.subarray(0, Math.floor(bytes.length * share))
      const broken = decodeBytes(openaiResponses, [cut])
      expect(errors(broken)).toBe(1)
    }
  })

  it.runIf(recordings.areReal).each([...edited])('are counted in %s', (id) => {
    const parts = decodeBytes(openaiResponses, [recordings.response(id)])
    expect(fold(parts).error).toBeUndefined()
    expect(misplacedParts(parts)).toEqual([])
    expect(fold(parts).response.usage).toMatchObject({ inputTokens: expect.any(Number) as number })
  })

  const searched = 'is charged for searches alone, where the model also opens pages and looks into them'
  it.runIf(recordings.areReal)(searched, () => {
    const parts = decodeBytes(openaiResponses, [
      recordings.response('vercel-ai-openai-web-search-tool-1-chunks'),
    ])
    const steps = eventsOf({ id: 'vercel-ai-openai-web-search-tool-1-chunks' })
      .filter(({ type, item }) => type === 'response.output_item.done' && item.type === 'web_search_call')
      .map(({ item }) => (item as Item & { action?: { type: string } }).action?.type)
    const { usage } = fold(parts).response
    expect(new Set(steps)).toEqual(new Set(['search', 'open_page', 'find_in_page']))
    expect(usage?.webSearches).toBe(steps.filter((step) => step === 'search').length)
  })

  it.each(named(answers.filter(({ stream }) => !stream)))('are decoded whole: %s', (_id, recorded) => {
    const body = JSON.parse(recordings.response(recorded.id).toString('utf8')) as Response
    const parts = openaiResponses.operations.generate.decodeResponse(body)
    expect(fold(parts).error).toBeUndefined()
    expect(misplacedParts(parts)).toEqual([])
    expect(decoded(fold(parts).response)).toEqual(readApart(body))
  })

  const refusals = ofResponses.filter(({ status }) => status !== 200 && status !== null)
  it.each(named(refusals))('are refused: %s', (_id, { id, status }) => {
    const body = recordings.response(id).toString('utf8')
    const error = openaiResponses.decodeError({ status, retryAfter: undefined, body })
    expect(error.status).toBe(status === 401 ? 502 : status)
  })
})
