import type { JournalEntry, RecordedCase } from '@turnpike/simulators'
import { expect } from 'vitest'
import { object, type Json } from './oracle/json.ts'
import { upstreamKey, upstreamModel } from './vendor-node.ts'

/** The documented call of each vendor; a case fills in `{model}` and `{method}`. */
interface Call {
  path: string
  credential: [header: string, value: string]
}

const bearer: Call['credential'] = ['authorization', `Bearer ${upstreamKey}`]

const calls: Record<string, Call> = {
  anthropic: { path: '/v1/messages', credential: ['x-api-key', upstreamKey] },
  gemini: { path: '/v1beta/models/{model}:{method}', credential: ['x-goog-api-key', upstreamKey] },
  'gemini-vertex': {
    path: '/v1/projects/p/locations/global/publishers/google/models/{model}:{method}',
    credential: bearer,
  },
  azure: {
    path: '/openai/deployments/{model}/chat/completions?api-version=2024-10-21',
    credential: ['api-key', upstreamKey],
  },
  perplexity: { path: '/chat/completions', credential: bearer },
  cohere: { path: '/v2/chat', credential: bearer },
}

const openaiCall: Call = { path: '/v1/chat/completions', credential: bearer }

/** Fails if the vendor was not called as it documents, or received anything of the caller's key. */
export function expectCalledRight(entry: JournalEntry, recorded: RecordedCase, stream: boolean): void {
  const { path, credential } = calls[recorded.vendor] ?? openaiCall
  const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  const model = encodeURIComponent(upstreamModel(recorded))
  const { request } = entry
  expect(request.path).toBe(path.replace('{model}', model).replace('{method}', method))
  expect(request).toMatchObject({ method: 'POST', headers: { [credential[0]]: credential[1] } })
  if (recorded.vendor === 'anthropic') expect(request.headers['anthropic-version']).toBe('2023-06-01')
  expect(JSON.stringify(request.headers) + request.path).not.toContain('sk-turnpike-')
}

/** Removes fields without effect: absent, null, and a stream that is not requested. */
function meaning(body: Json): Json {
  const { stream, stream_options: _options, model: _model, ...rest } = body
  return object(withoutNulls({ ...rest, ...(stream === true ? { stream } : {}) }))
}

/** Expects that a request recorded in OpenAI's format reaches its vendor with the same meaning. */
export function expectSameRequest(entry: JournalEntry, sent: Json, { vendor }: RecordedCase): void {
  const received = meaning(object(JSON.parse(entry.request.body.toString('utf8'))))
  // DeepSeek enables reasoning by a separate field, besides the effort.
  if (vendor === 'deepseek' && sent['thinking'] === undefined) delete received['thinking']
  expect(received).toEqual(meaning(sent))
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutNulls(inner)]))
}
