import Anthropic from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import type { TestKey } from '../../../tests/nodes/test-node.ts'
import { echoing, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'

const [{ create }] = databases() as [ReturnType<typeof databases>[number]]
const model = 'vendor/echo'
const completionPrice = '0.00001'
/** Covers 5,000 tokens: slightly more than the hold of a request without a bound. */
const limitUsd = '0.05'
/** Produces more than the budget, and more than is held at first. */
const endless = 'go on [sandbox: ignore_bound tokens=8000 pace=0]'
const briefly = 'go on [sandbox: tokens=5 pace=0]'
const tooMany = 10_000

const contents = (text: string) => [{ role: 'user', parts: [{ text }] }]

/** Path and body of each format. */
const formats = {
  chat: {
    path: '/v1/chat/completions',
    body: (content: string) => ({ model, messages: [{ role: 'user', content }] }),
  },
  completions: { path: '/v1/completions', body: (prompt: string) => ({ model, prompt }) },
  messages: {
    path: '/v1/messages',
    body: (content: string) => ({ model, max_tokens: tooMany, messages: [{ role: 'user', content }] }),
  },
  responses: { path: '/v1/responses', body: (input: string) => ({ model, input }) },
  google: {
    path: `/v1beta/models/${model}:generateContent`,
    body: (text: string) => ({ contents: contents(text) }),
  },
}
type Format = keyof typeof formats

/** The 402 of a budget in each caller format, before an answer begins and in its middle. */
describe('a request that a budget does not cover', () => {
  const fleet = suiteFleet(create, 1, echoing(completionPrice))
  const node = fleet.nodes[0]!

  async function keyWithBudget(limit_usd: string): Promise<{ key: TestKey; id: string }> {
    const key = await node.createKey({ creditUsd: '10' })
    const body = { name: 'Search team', scope: 'organization', period: 'day', limit_usd }
    const { id } = await node.admin<{ id: string }>(`/accounts/${key.accountId}/budgets`, {
      method: 'POST',
      body,
    })
    return { key, id }
  }

  async function ask(format: Format, key: TestKey, text: string, stream: boolean): Promise<Response> {
    const { path, body } = formats[format]
    const isGoogle = format === 'google'
    const streamed = isGoogle ? path.replace(/:.*/, ':streamGenerateContent?alt=sse') : path
    return fetch(`${new URL(node.baseUrl).origin}${stream ? streamed : path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.raw}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body(text), ...(stream && !isGoogle && { stream: true }) }),
    })
  }

  const budgetTold = (id: string, limit_usd: string) => ({
    id,
    name: 'Search team',
    scope: 'organization',
    subject: null,
    period: 'day',
    limit_usd,
    left_usd: expect.stringMatching(/^\d/),
    resets_at: expect.any(Number),
  })

  /** The error's metadata for programs, the same in each format. */
  const metadataOf = (id: string, limit_usd: string, needed: unknown) => ({
    reason: 'budget',
    needed_usd: needed,
    budget: budgetTold(id, limit_usd),
  })

  /** The official shape of each format's error, with our metadata in it. */
  function expectShape(
    format: Format,
    body: Record<string, unknown>,
    message: RegExp,
    metadata: ReturnType<typeof metadataOf>,
  ): void {
    const error = body['error'] as Record<string, unknown>
    expect(error['message']).toMatch(message)
    if (format === 'google') {
      expect(error).toMatchObject({ code: 402, status: 'FAILED_PRECONDITION' })
      const [info] = error['details'] as { metadata: Record<string, string> }[]
      expect(info).toMatchObject({ reason: 'INSUFFICIENT_QUOTA', domain: 'turnpike' })
      expect(info!.metadata['reason']).toBe('budget')
      expect(JSON.parse(info!.metadata['budget']!)).toEqual(metadata.budget)
      return
    }
    expect(error['metadata']).toEqual(metadata)
    if (format === 'messages') {
      expect(body).toMatchObject({ type: 'error', request_id: expect.stringMatching(/^req_/) })
      expect(error['type']).toBe('billing_error')
      return
    }
    expect(error).toMatchObject({
      type: 'insufficient_quota',
      // Responses uses OpenAI's code.
      code: format === 'responses' ? 'insufficient_quota' : 402,
      param: null,
      request_id: expect.stringMatching(/^req_/),
    })
  }

  const refusedText =
    /^The budget "Search team" \(the whole account, 0\.0001 USD a day\) does not cover this request/

  describe.each(Object.keys(formats) as Format[])('in the format of %s', (format) => {
    it.each([
      ['whole', false],
      ['before the first token of a stream', true],
    ])('is refused in that format, %s', async (_when, stream) => {
      const { key, id } = await keyWithBudget('0.0001')
      const response = await ask(format, key, briefly, stream)
      expect(response.status).toBe(402)
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      const body = (await response.json()) as Record<string, unknown>
      expectShape(format, body, refusedText, metadataOf(id, '0.0001', expect.stringMatching(/^0\.\d+$/)))
    })

    it('ends in its middle with an error event', async () => {
      const { key, id } = await keyWithBudget(limitUsd)
      const response = await ask(format, key, endless, true)
      const text = await response.text()
      expect(response.status).toBe(200)
      const events = text
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>)
      const errorBody = events.findLast((event) => 'error' in event || event['type'] === 'error')
      const usedUp = /^The budget "Search team" \(.*\) was used up while the answer was being streamed\./
      if (format === 'responses') {
        const error = { code: 'insufficient_quota', message: expect.stringMatching(usedUp) }
        expect(events.at(-1)).toMatchObject({
          type: 'response.failed',
          response: { status: 'failed', error },
        })
        return
      }
      expectShape(format, errorBody!, usedUp, metadataOf(id, limitUsd, expect.any(String)))
      expect(text).not.toContain('[DONE]')
    })
  })

  describe('with the official SDKs', () => {
    const origin = (): string => new URL(node.baseUrl).origin
    const once = { maxRetries: 0 }

    it('throws OpenAI’s error for chat, Responses and completions', async () => {
      const { key, id } = await keyWithBudget('0.0001')
      const client = new OpenAI({ apiKey: key.raw, baseURL: `${origin()}/v1`, ...once })
      const metadata = metadataOf(id, '0.0001', expect.any(String))
      const requests = [
        () => client.chat.completions.create({ model, messages: [{ role: 'user', content: briefly }] }),
        () =>
          client.chat.completions.create({
            model,
            stream: true,
            messages: [{ role: 'user', content: briefly }],
          }),
        () => client.responses.create({ model, input: briefly }),
        () => client.completions.create({ model, prompt: briefly }),
      ]
      for (const create of requests) {
        const error: unknown = await create().catch((reason: unknown) => reason)
        expect(error).toBeInstanceOf(OpenAI.APIError)
        expect(error).toMatchObject({ status: 402, type: 'insufficient_quota', error: { metadata } })
      }
    })

    it('throws Anthropic’s error for messages, whole and streamed', async () => {
      const { key, id } = await keyWithBudget('0.0001')
      const client = new Anthropic({ apiKey: key.raw, baseURL: origin(), ...once })
      const messages = [{ role: 'user' as const, content: briefly }]
      for (const stream of [false, true]) {
        const error: unknown = await client.messages
          .create({ model, max_tokens: tooMany, messages, stream })
          .catch((reason: unknown) => reason)
        expect(error).toBeInstanceOf(Anthropic.APIError)
        expect(error).toMatchObject({
          status: 402,
          error: { type: 'error', error: { type: 'billing_error' } },
        })
        const { error: errorBody } = (error as { error: { error: Record<string, unknown> } }).error
        expect(errorBody['metadata']).toEqual(metadataOf(id, '0.0001', expect.any(String)))
      }
    })

    it('throws Google’s error for generateContent', async () => {
      const { key, id } = await keyWithBudget('0.0001')
      const client = new GoogleGenAI({ apiKey: key.raw, httpOptions: { baseUrl: origin() } })
      const error: unknown = await client.models
        .generateContent({ model, contents: contents(briefly) })
        .catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(ApiError)
      expect((error as ApiError).status).toBe(402)
      expect((error as ApiError).message).toContain(id)
    })
  })
})
