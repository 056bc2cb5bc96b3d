import Anthropic, { APIError } from '@anthropic-ai/sdk'
import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { beforeAll, describe, expect, test } from 'vitest'
import { asksForStream, chatCases } from '../vendors/chat-cases.ts'
import { said } from '../vendors/oracle/oracle.ts'
import type { SaidAnswer, SaidChoice, SaidFailure } from '../vendors/oracle/said-answer.ts'
import { namedCases, replaySeed, suiteReplay } from '../vendors/replayed-cases.ts'
import { costUsd } from '../vendors/vendor-node.ts'
import { testBooks } from '../../nodes/suite.ts'

const recordings = allRecordings()
const cases = chatCases(recordings)

/** OpenAI's finish reasons, and Anthropic's. */
const reasons: Record<string, string[]> = {
  stop: ['end_turn', 'stop_sequence', 'pause_turn'],
  length: ['max_tokens', 'model_context_window_exceeded'],
  tool_calls: ['tool_use'],
  function_call: ['tool_use'],
  content_filter: ['refusal'],
}

/** Error types by status, and the statuses that differ in Messages. */
const types: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  502: 'api_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

describe(`every vendor's recorded answers, to Anthropic's SDK (TURNPIKE_TEST_SEED=${replaySeed})`, () => {
  const world = suiteReplay(recordings, cases)
  let client: Anthropic
  beforeAll(() => {
    client = new Anthropic({ apiKey: world.key.raw, baseURL: world.node.origin, maxRetries: 0 })
  })

  test.concurrent.each(namedCases(cases))('%s', async (_id, recorded, index) => {
    const expected = said(recordings, recorded)
    const body = {
      model: world.names[index]!,
      max_tokens: 16_000,
      messages: [{ role: 'user' as const, content: 'x' }],
    }
    const answered = asksForStream(recorded)
      ? client.messages.stream(body).finalMessage()
      : client.messages.create(body)
    if (expected.kind === 'failed') return expectRefused(await thrownBy(answered), expected.failure)
    if (expected.kind === 'broken') return expect(await thrownBy(answered)).toBeInstanceOf(Error)
    const message = await answered
    expectTold(message, expected.answer, recorded)
    const reportedUsage = message.usage as unknown as { cost_usd?: string; cost?: number }
    // The SDK's stream helper keeps only the counts that it knows.
    if (reportedUsage.cost_usd === undefined || expected.answer.usage === undefined) return
    expect(reportedUsage).toMatchObject({
      cost_usd: costUsd(expected.answer.usage),
      cost: Number(reportedUsage.cost_usd),
    })
  })

  testBooks(world)
})

async function thrownBy(answered: Promise<unknown>): Promise<unknown> {
  return answered.then(
    () => undefined,
    (error: unknown) => error,
  )
}

function expectRefused(error: unknown, failure: SaidFailure): void {
  if (!(error instanceof APIError)) throw new Error(`the SDK threw no APIError: ${String(error)}`)
  expect({ status: error.status, type: error.type }).toEqual({
    status: failure.status === 503 ? 529 : failure.status,
    type: types[failure.status],
  })
  expect(error.requestID).toMatch(/^req_/u)
}

function expectTold(
  message: Anthropic.Message,
  { choices, usage }: SaidAnswer,
  recorded: RecordedCase,
): void {
  const [choice] = choices as [SaidChoice]
  expect(message).toMatchObject({ type: 'message', role: 'assistant' })
  expect(textOf(message, 'text')).toBe(choice.text + choice.refusal)
  expect(textOf(message, 'thinking')).toBe(choice.reasoning)
  const calls = message.content.filter((block) => block.type === 'tool_use')
  expect(calls.map(({ name, input }) => ({ name, input }))).toEqual(
    choice.toolCalls.map(({ name, arguments: given }) => ({
      name,
      input: typeof given === 'object' && given !== null ? given : { INVALID_JSON: given },
    })),
  )
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
  expect(reasons[choice.finish ?? '']).toContain(message.stop_reason)
  if (recorded.vendor === 'anthropic') expect(proofsOf(message)).toEqual(choice.proofs)
  if (usage === undefined) return
  const { input_tokens: input, output_tokens: output } = message.usage
  const read = message.usage.cache_read_input_tokens ?? 0
  const written = message.usage.cache_creation_input_tokens ?? 0
  expect({ prompt: input + read + written, completion: output, cached: read, cacheWritten: written }).toEqual(
    {
      prompt: usage.prompt,
      completion: usage.completion,
      cached: usage.cached,
      cacheWritten: usage.cacheWritten,
    },
  )
}

function textOf(message: Anthropic.Message, type: 'text' | 'thinking'): string {
  return message.content
    .map((block) => {
      if (block.type === 'text' && type === 'text') return block.text
      return block.type === 'thinking' && type === 'thinking' ? block.thinking : ''
    })
    .join('')
}

function proofsOf(message: Anthropic.Message): unknown[] {
  return message.content.flatMap((block): unknown[] => {
    if (block.type === 'redacted_thinking') return [{ encrypted: block.data }]
    if (block.type !== 'thinking' || block.signature === '') return []
    return [{ signature: block.signature, text: block.thinking }]
  })
}
