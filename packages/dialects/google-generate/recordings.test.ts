import { fold, type ModelResponse } from '@turnpike/protocol'
import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { describe, expect, it } from 'vitest'
import { decodeBytes } from '../testing/vendor-contract.ts'
import { misplacedParts } from '../testing/well-formed.ts'
import { googleGenerate } from './vendor.ts'

const recordings = allRecordings()
const ofGoogle = recordings.cases.filter(({ api }) => api.endsWith('enerateContent'))
const answers = ofGoogle.filter(({ status }) => status === 200)
const streams = answers.filter(({ stream }) => stream)

interface Answer {
  text: string
  thoughts: string
  calls: { name: string; args: unknown }[]
  finish: string | undefined
  tokens: (number | undefined)[] | undefined
}

interface Body {
  candidates?: Candidate[]
  promptFeedback?: { blockReason?: string }
  usageMetadata?: Record<string, number | undefined>
}

interface Candidate {
  content?: {
    parts?: { text?: string; thought?: boolean; functionCall?: { name?: string; args?: unknown } }[]
  }
  finishReason?: string | number
}

/** The content of an answer, read without the decoder. All recordings have one candidate. */
function readApart(bodies: readonly Body[]): Answer {
  const parts = bodies.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  const calls = parts.flatMap(({ functionCall: call }) => (call?.name === undefined ? [] : [call]))
  const reasons = bodies.map((body) => body.candidates?.[0]?.finishReason ?? body.promptFeedback?.blockReason)
  const reason = reasons.findLast((one) => one !== undefined)
  const finishes: Record<string, string> = { 1: 'stop', STOP: 'stop', 2: 'length', MAX_TOKENS: 'length' }
  const finish = finishes[String(reason)] ?? 'content-filter'
  const usage = bodies.map((body) => body.usageMetadata ?? {}).findLast((one) => 'promptTokenCount' in one)
  return {
    text: parts.map((part) => (part.thought === true ? '' : (part.text ?? ''))).join(''),
    thoughts: parts.map((part) => (part.thought === true ? part.text : '')).join(''),
    calls: calls.map(({ name, args }) => ({ name: name!, args: args ?? {} })),
    finish: finish === 'stop' && calls.length > 0 ? 'tool-calls' : finish,
    tokens: usage && [
      usage['promptTokenCount']! + (usage['toolUsePromptTokenCount'] ?? 0),
      usage['cachedContentTokenCount'],
      usage['candidatesTokenCount'],
      usage['thoughtsTokenCount'],
    ],
  }
}

function decoded({ choices, usage }: ModelResponse): Answer {
  const blocks = choices[0]?.blocks ?? []
  const textOf = (kind: string): string =>
    blocks.map((block) => (block.kind === kind ? block.text : '')).join('')
  const calls = blocks.filter((block) => block.toolCall !== undefined)
  const read = [usage?.inputTokens, usage?.cacheReadTokens, usage?.inputImageTokens, usage?.inputAudioTokens]
  return {
    text: textOf('text'),
    thoughts: textOf('reasoning'),
    calls: calls.map(({ toolCall, text }) => ({ name: toolCall!.name, args: JSON.parse(text) as unknown })),
    finish: choices[0]?.finish?.reason,
    tokens: usage && [
      read.reduce<number>((sum, tokens) => sum + (tokens ?? 0), 0),
      usage.cacheReadTokens,
      usage.outputTokens,
      usage.reasoningTokens,
    ],
  }
}

const named = (cases: readonly RecordedCase[]): [string, RecordedCase][] => cases.map((one) => [one.id, one])
const bytesOf = ({ id }: RecordedCase): Buffer => recordings.response(id)

function eventsOf(recorded: RecordedCase): string[] {
  return bytesOf(recorded)
    .toString('utf8')
    .split(/\r?\n\r?\n/)
    .filter((event) => event.startsWith('data:'))
}

/** Vertex sends the arguments of one recorded call value by value; a separate test reads them. */
const isPartial = (recorded: RecordedCase): boolean => bytesOf(recorded).includes('"partialArgs"')

describe('recorded answers of Google', () => {
  it.runIf(recordings.areReal)('are available', () => expect(answers.length).toBeGreaterThan(50))

  it.each(named(streams.filter((one) => !isPartial(one))))('are decoded streamed: %s', (_id, recorded) => {
    const parts = decodeBytes(googleGenerate, [bytesOf(recorded)])
    const { response, error } = fold(parts)
    expect(error).toBeUndefined()
    expect(misplacedParts(parts)).toEqual([])
    const bodies = eventsOf(recorded).map((event) => JSON.parse(event.slice('data:'.length)) as Body)
    expect(decoded(response)).toEqual(readApart(bodies))
  })

  it.each(named(answers.filter(({ stream }) => !stream)))('are decoded whole: %s', (_id, recorded) => {
    const body = JSON.parse(bytesOf(recorded).toString('utf8')) as Body
    const { response, error } = fold(googleGenerate.operations.generate.decodeResponse(body))
    expect(error).toBeUndefined()
    expect(decoded(response)).toEqual(readApart([body]))
  })

  it.each(named(streams))('are an error if cut: %s', (_id, recorded) => {
    const events = eventsOf(recorded)
    for (const share of [0.2, 0.5, 0.9]) {
      const kept = events.slice(0, Math.floor(events.length * share))
      const parts = decodeBytes(googleGenerate, [Buffer.from(kept.map((event) => `${event}\n\n`).join(''))])
      expect(parts.filter(({ type }) => type === 'error')).toHaveLength(1)
    }
  })

  it.each(named(streams.filter(isPartial)))('are decoded value by value: %s', (_id, recorded) => {
    const { response } = fold(decodeBytes(googleGenerate, [bytesOf(recorded)]))
    const [call] = decoded(response).calls
    const bodies = bytesOf(recorded).toString('utf8')
    const values = [...bodies.matchAll(/"(?:stringValue|numberValue)":("[^"]+"|[\d.]+)/g)].map(
      ([, value]) => value,
    )
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) expect(JSON.stringify(call!.args)).toContain(value)
    expect(response.choices[0]!.finish?.reason).toBe('tool-calls')
  })
})

describe('recorded refusals of Google', () => {
  const refusals = ofGoogle.filter(({ status }) => status !== 200)
  it.each(named(refusals))('are decoded: %s', (_id, recorded) => {
    const body = bytesOf(recorded).toString('utf8')
    const error = googleGenerate.decodeError({ status: recorded.status, retryAfter: undefined, body })
    const ours = body.includes('API_KEY_INVALID')
    expect(error.status).toBe(ours ? 502 : recorded.status)
    const [beginning] = JSON.stringify(error.message).slice(1, 80).split('[redacted]')
    if (!ours) expect(body).toContain(beginning)
    const delay = /"retryDelay": *"([\d.]+)s"/.exec(body)?.[1]
    if (delay !== undefined) expect(error.retryAfterSeconds).toBe(Math.ceil(Number(delay)))
  })
})
