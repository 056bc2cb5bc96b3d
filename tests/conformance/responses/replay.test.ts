import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import OpenAI, { APIError } from 'openai'
import { beforeAll, describe, expect, test } from 'vitest'
import { sdk } from '../sdk-node.ts'
import { asksForStream, callersCases } from '../vendors/chat-cases.ts'
import { count, object } from '../vendors/oracle/json.ts'
import { said } from '../vendors/oracle/oracle.ts'
import type { SaidAnswer, SaidChoice, SaidFailure } from '../vendors/oracle/said-answer.ts'
import { namedCases, replaySeed, suiteReplay } from '../vendors/replayed-cases.ts'
import { costUsd } from '../vendors/vendor-node.ts'
import { testBooks } from '../../nodes/suite.ts'

type Response = OpenAI.Responses.Response

const recordings = allRecordings()
const cases = callersCases(recordings)

describe(`every vendor's recorded answers, by the SDK's Responses (TURNPIKE_TEST_SEED=${replaySeed})`, () => {
  const world = suiteReplay(recordings, cases, ({ api, vendor }) => (api === 'responses' ? api : vendor))
  let client: OpenAI
  beforeAll(() => {
    client = sdk(world.node, world.key.raw)
  })

  test.concurrent.each(namedCases(cases))('%s', async (_id, recorded, index) => {
    const expected = said(recordings, recorded)
    const body = { model: world.names[index]!, max_output_tokens: 16_000, input: 'x' }
    const answered = asksForStream(recorded)
      ? streamed(client, recorded, body)
      : client.responses.create(body)
    if (expected.kind === 'failed') return expectRefused(await settled(answered), expected.failure)
    if (expected.kind === 'broken') return expectBroken(await settled(answered))
    const response = await answered
    expectTold(response, expected.answer)
    if (expected.answer.usage === undefined) return
    const expectedCost = costUsd(expected.answer.usage)
    expect(response.usage).toMatchObject({ cost_usd: expectedCost, cost: Number(expectedCost) })
  })

  testBooks(world)
})

/** Streams by the SDK's helper, which does not know all events of vendors of Responses. */
async function streamed(
  client: OpenAI,
  { api }: RecordedCase,
  body: { model: string; input: string },
): Promise<Response> {
  if (api !== 'responses') return client.responses.stream(body).finalResponse()
  const output: Response['output'] = []
  let last: Response | undefined
  for await (const event of await client.responses.create({ ...body, stream: true })) {
    if (event.type === 'response.output_item.done') output[event.output_index] = event.item
    if ('response' in event) last = event.response
  }
  return { ...last!, output: output.filter(() => true) }
}

/** The outcome: the answer, or the error that was thrown. */
async function settled(answered: Promise<Response>): Promise<unknown> {
  return answered.catch((error: unknown) => error)
}

function expectRefused(error: unknown, failure: SaidFailure): void {
  if (!(error instanceof APIError)) throw new Error(`the SDK threw no APIError: ${String(error)}`)
  expect(error.status).toBe(failure.status)
  expect(error.requestID).toMatch(/^req_/u)
}

/** Before its first token, a broken answer is an error with a status; after it, a failed response. */
function expectBroken(outcome: unknown): void {
  if (outcome instanceof Error) return
  expect((outcome as Response).status).toBe('failed')
}

function expectTold(response: Response, { choices, usage }: SaidAnswer): void {
  const [choice] = choices as [SaidChoice]
  const messages = response.output.flatMap((item) => (item.type === 'message' ? item.content : []))
  const text = (part: (typeof messages)[number]): string =>
    part.type === 'refusal' ? part.refusal : part.text
  expect(messages.map(text).join('')).toBe(choice.text + choice.refusal)
  const thoughts = response.output.flatMap((item) => (item.type === 'reasoning' ? [item] : []))
  const parts = thoughts.map(({ summary, content = [] }) => (content.length > 0 ? content : summary))
  const thought = parts.map((said) => said.map((part) => part.text).join('\n\n'))
  expect(thought.join('')).toBe(choice.reasoning)
  expect(response.output.flatMap(callIn)).toEqual(
    choice.toolCalls.map(({ name, arguments: given }) => ({
      name,
      given: typeof given === 'string' ? given : expect.toSatisfy(isJsonOf(given)),
    })),
  )
  const isCut = choice.finish === 'length' || choice.finish === 'content_filter'
  expect(response.status).toBe(isCut ? 'incomplete' : 'completed')
  if (usage === undefined) return
  const { input_tokens, output_tokens, total_tokens, input_tokens_details: details } = response.usage!
  expect([input_tokens, output_tokens, total_tokens]).toEqual([
    usage.prompt,
    usage.completion,
    usage.prompt + usage.completion,
  ])
  // A response that passes unchanged has only the counts that its vendor sent.
  const counts = object(details)
  expect([count(counts['cached_tokens']), count(counts['cache_write_tokens'])]).toEqual([
    usage.cached,
    usage.cacheWritten,
  ])
}

function callIn(item: OpenAI.Responses.ResponseOutputItem): { name: string; given: string }[] {
  if (item.type === 'function_call') return [{ name: item.name, given: item.arguments }]
  return item.type === 'custom_tool_call' ? [{ name: item.name, given: item.input }] : []
}

function isJsonOf(value: unknown): (text: unknown) => boolean {
  return (text) => JSON.stringify(JSON.parse(String(text))) === JSON.stringify(value)
}
