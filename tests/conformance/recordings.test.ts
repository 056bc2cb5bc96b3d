import { parseUsd } from '@turnpike/billing'
import { APIError } from 'openai'
import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { openaiSchemas } from '@turnpike/simulators/openai-schema'
import { describe, expect, test } from 'vitest'
import { expectedAnswer, expectedChunks, type ChatBody } from './recorded-answer.ts'
import { suiteStart } from '../nodes/suite.ts'
import { listeningClient, startRecordedNode, upstreamKey, upstreamModel } from './recorded-node.ts'
import { replaySeed } from './vendors/replayed-cases.ts'

const recordings = allRecordings()
const schemas = openaiSchemas()
const cases = recordings.cases.filter((one) => one.vendor === 'openai' && one.api === 'chat')
const named = (chosen: RecordedCase[]): [string, RecordedCase][] => chosen.map((one) => [one.id, one])

describe(`OpenAI's recorded chats through the openai SDK (TURNPIKE_TEST_SEED=${replaySeed})`, () => {
  const world = suiteStart(() => startRecordedNode(recordings, cases))

  test.runIf(recordings.areReal)('include all cases', () => {
    expect(cases.length).toBeGreaterThanOrEqual(70)
  })

  const plain = cases.filter((one) => one.status === 200 && !one.stream)
  test.concurrent.each(named(plain))('gives the recorded plain answer: %s', async (_id, recorded) => {
    const { client, text } = listeningClient(world.node, world.key)
    const request = requestOf(recorded)
    const answer = await client.chat.completions.create(request as never)
    expect(answer).toEqual(expectedAnswer(recordedBody(recorded), world.modelOf(recorded)))
    expect(schemas?.faultsOfCompletion(JSON.parse(await text())) ?? []).toEqual([])
    expectSameRequest(recorded, request, false)
  })

  const streamed = cases.filter((one) => one.status === 200 && one.stream)
  test.concurrent.each(named(streamed))('gives the recorded stream: %s', async (_id, recorded) => {
    await streamAsRecorded(recorded, requestOf(recorded))
  })

  test.concurrent.each(named(streamed))(
    'streams with the opposite usage option: %s',
    async (_id, recorded) => {
      const request = requestOf(recorded)
      const asked = request.stream_options?.include_usage === true
      await streamAsRecorded(recorded, { ...request, stream_options: { include_usage: !asked } })
    },
  )

  async function streamAsRecorded(recorded: RecordedCase, request: ChatRequest): Promise<void> {
    const { client, text } = listeningClient(world.node, world.key)
    const asked = request.stream_options?.include_usage === true
    const stream = await client.chat.completions.create(request as never)
    const chunks: unknown[] = []
    for await (const chunk of stream as unknown as AsyncIterable<unknown>) chunks.push(chunk)
    const raw = await text()
    const expected = expectedChunks(recordedChunks(recorded), world.modelOf(recorded), asked)
    // If an answer was recorded without its usage, the gateway counts the tokens itself.
    if (asked && !counted(recorded))
      expected.push(expect.objectContaining({ choices: [], usage: estimatedUsage }))
    expect(chunks).toEqual(expected)
    for (const chunk of chunks) expect(schemas?.faultsOfChunk(chunk) ?? []).toEqual([])
    expect(raw.match(/^data: /gmu)).toHaveLength(chunks.length + 1)
    expect(raw.endsWith('\n\ndata: [DONE]\n\n')).toBe(true)
    expectSameRequest(recorded, request, true)
  }

  const refused = cases.filter((one) => one.status !== 200)
  test.concurrent.each(named(refused))('gives the recorded error: %s', async (_id, recorded) => {
    const { client } = listeningClient(world.node, world.key)
    const request = requestOf(recorded)
    const error: unknown = await client.chat.completions
      .create(request as never)
      .catch((thrown: unknown) => thrown)
    if (!(error instanceof APIError)) throw new Error('the SDK threw no APIError')
    const { message, param } = (JSON.parse(recordings.response(recorded.id).toString()) as VendorError).error
    const ownCredential = recorded.status === 401 || recorded.status === 403
    expect(error.status).toBe(ownCredential ? 502 : recorded.status)
    expect(error.error).toEqual({
      message: ownCredential ? "The upstream rejected the gateway's own credential." : message,
      type: ownCredential
        ? 'upstream_error'
        : recorded.status === 404
          ? 'not_found_error'
          : 'invalid_request_error',
      code: error.status,
      param: ownCredential ? null : param,
      request_id: error.requestID,
    })
    expectSameRequest(recorded, request, request.stream === true)
  })

  test('charges all answers to the last digit', async () => {
    const { node, key } = world
    const { balance_usd: left } = await node.admin<{ balance_usd: string }>(`/accounts/${key.accountId}`)
    const summary = await node.admin<{ total_requests: number; total_cost_usd: string }>(
      `/accounts/${key.accountId}/usage?days=1`,
    )
    expect(summary.total_requests).toBe(plain.length + 2 * streamed.length)
    expect(parseUsd(left) + parseUsd(summary.total_cost_usd)).toBe(parseUsd('100'))
    expect(await node.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
  })

  interface ChatRequest {
    [field: string]: unknown
    stream?: boolean
    stream_options?: { include_usage?: boolean }
  }

  interface VendorError {
    error: { message: string; param: string | null }
  }

  /** The recorded request with another model; any request if none was recorded. */
  function requestOf(recorded: RecordedCase): ChatRequest {
    const body = recordings.request(recorded.id)
    const request = (
      body === undefined ? { messages: [{ role: 'user', content: 'Hello' }] } : JSON.parse(body.toString())
    ) as ChatRequest
    return { ...request, model: world.modelOf(recorded), ...(recorded.stream ? { stream: true } : {}) }
  }

  const estimatedUsage = expect.objectContaining({
    prompt_tokens: expect.any(Number),
    completion_tokens: expect.any(Number),
    cost_usd: expect.stringMatching(/^0\.\d+$/u),
  })

  function counted(recorded: RecordedCase): boolean {
    return recordedChunks(recorded).some((chunk) => typeof chunk.usage === 'object' && chunk.usage !== null)
  }

  function recordedBody(recorded: RecordedCase): ChatBody {
    return JSON.parse(recordings.response(recorded.id).toString()) as ChatBody
  }

  function recordedChunks(recorded: RecordedCase): ChatBody[] {
    const events = recordings
      .response(recorded.id)
      .toString()
      .split(/\r?\n\r?\n/u)
    const payloads = events
      .filter((event) => event.startsWith('data: '))
      .map((event) => event.slice('data: '.length))
    expect(payloads.at(-1)).toBe('[DONE]')
    return payloads.slice(0, -1).map((payload) => JSON.parse(payload) as ChatBody)
  }

  /**
   * Expects that the vendor got every request of this case unchanged, except for its own name of the model
   * and the usage option.
   */
  function expectSameRequest(recorded: RecordedCase, sent: ChatRequest, stream: boolean): void {
    const expected = {
      ...sent,
      model: upstreamModel(recorded),
      ...(stream ? { stream_options: { ...sent.stream_options, include_usage: true } } : {}),
    }
    const entries = world.vendor.journal.findByLabel(recorded.id)
    expect(entries.length).toBeGreaterThan(0)
    for (const { request } of entries) {
      expect(JSON.parse(request.body.toString())).toEqual(expected)
      expect(request).toMatchObject({ method: 'POST', path: '/v1/chat/completions' })
      expect(request.headers['authorization']).toBe(`Bearer ${upstreamKey}`)
      expect(JSON.stringify(request.headers)).not.toContain(world.key.raw)
    }
  }
})
