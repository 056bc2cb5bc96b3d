import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
} from 'openai'
import { newApiKey } from '@turnpike/identity'
import { openaiSchemas } from '@turnpike/simulators/openai-schema'
import { describe, expect, test } from 'vitest'
import { scripted, sdk, startSdkNode } from './sdk-node.ts'
import { suiteWorld } from '../nodes/suite.ts'

const schemas = openaiSchemas()
const model = 'openai/gpt-4o-mini'
const say = (content: string): { role: 'user'; content: string }[] => [{ role: 'user', content }]

const world = await suiteWorld(startSdkNode())

type Body = Partial<OpenAI.Chat.ChatCompletionCreateParams>

/** The SDK's error for a request, plain or streamed; its body is our envelope. */
async function thrown(body: Body, client: OpenAI = world.client): Promise<APIError> {
  const whole = { model, messages: say('Hello [sandbox: pace=0]'), ...body }
  const error: unknown = await client.chat.completions
    .create(whole as never)
    .catch((reason: unknown) => reason)
  if (!(error instanceof APIError)) throw new Error(`not an APIError: ${String(error)}`)
  const { metadata, ...envelope } = error.error as Record<string, unknown>
  expect(Object.keys(envelope).toSorted()).toEqual(['code', 'message', 'param', 'request_id', 'type'])
  // Only in a 402: machine-readable details.
  expect(metadata !== undefined).toBe(error.status === 402)
  expect(envelope).toMatchObject({ code: error.status, request_id: error.requestID })
  expect(error.requestID).toMatch(/^req_[0-9a-z]{26}$/u)
  // The only difference to OpenAI's schema: our code is the status, as a number.
  expect(schemas?.faultsOfError({ error: { ...envelope, code: String(envelope['code']) } }) ?? []).toEqual([])
  return error
}

describe.each([
  ['plain', {}],
  ['streamed', { stream: true }],
])('an error of a %s request', (_kind, how: Body) => {
  test('reports a wrong key', async () => {
    const error = await thrown(how, sdk(world.node, newApiKey().raw))
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error).toMatchObject({ status: 401, type: 'authentication_error', param: null })
  })

  test('reports a model that the key may not use', async () => {
    const key = await world.node.createKey({ allowedModels: ['openai/gpt-4o'] })
    const error = await thrown(how, sdk(world.node, key.raw))
    expect(error).toBeInstanceOf(PermissionDeniedError)
    expect(error).toMatchObject({ status: 403, type: 'permission_error', param: 'model' })
  })

  test('reports an unknown model', async () => {
    const error = await thrown({ ...how, model: 'openai/gpt-none' })
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toMatchObject({ status: 404, type: 'not_found_error', param: 'model' })
    expect(error.message).toContain('"openai/gpt-none" does not exist')
  })

  test('reports an invalid field', async () => {
    const error = await thrown({ ...how, temperature: 9 })
    expect(error).toBeInstanceOf(BadRequestError)
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', param: 'temperature' })
  })

  test('reports lack of credit', async () => {
    const key = await world.node.createKey({ creditUsd: '0' })
    const error = await thrown(how, sdk(world.node, key.raw))
    expect(error).toMatchObject({ status: 402, type: 'insufficient_quota' })
    expect(error.message).toMatch(/credit of 0 USD .* up to 0\.\d+ USD/u)
    const { metadata } = error.error as { metadata: Record<string, unknown> }
    expect(metadata).toMatchObject({ reason: 'credit', balance_usd: '0' })
    expect(metadata['needed_usd']).toMatch(/^0\.\d+$/u)
  })

  test.each([
    [400, BadRequestError, 'invalid_request_error'],
    [404, NotFoundError, 'not_found_error'],
    [409, ConflictError, 'conflict_error'],
    [413, APIError, 'request_too_large'],
    [422, UnprocessableEntityError, 'invalid_request_error'],
  ] as const)("the vendor's own %i about the request", async (status, Class, type) => {
    const message = `Grüße: “${status}”`
    const body = { error: { message, type: 'vendor_word', param: 'messages[0]', code: 'vendor_code' } }
    world.vendor.next({ script: scripted(status, body) })
    const error = await thrown(how)
    expect(error).toBeInstanceOf(Class)
    expect(error).toMatchObject({ status, type, param: 'messages[0]', error: { message } })
  })

  test.each([401, 403])("reports the vendor's %i as being about our credential", async (status) => {
    const message = 'Incorrect API key provided: sk-upstr***'
    world.vendor.next({ script: scripted(status, { error: { message } }) })
    const error = await thrown(how)
    expect(error).toBeInstanceOf(InternalServerError)
    expect(error).toMatchObject({ status: 502, type: 'upstream_error' })
    expect(JSON.stringify(error.error)).not.toContain('sk-')
    expect(error.headers!.has('www-authenticate')).toBe(false)
  })

  test.each([
    ['17', '17'],
    ['0', '1'],
    ['2.2', '3'],
    [undefined, '1'],
  ])("reports the vendor's 429 with Retry-After %s", async (given, told) => {
    const headers: Record<string, string> = given === undefined ? {} : { 'retry-after': given }
    world.vendor.next({ script: scripted(429, { error: { message: 'Slow down' } }, headers) })
    const error = await thrown(how)
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ status: 429, type: 'rate_limit_error', error: { message: 'Slow down' } })
    expect(error.headers!.get('retry-after')).toBe(told)
  })

  test.each([
    [500, 502, 'upstream_error'],
    [502, 502, 'upstream_error'],
    [503, 503, 'service_unavailable'],
    [504, 504, 'upstream_timeout'],
    [529, 503, 'service_unavailable'],
    [302, 502, 'upstream_error'],
  ])("reports the vendor's %i", async (status, told, type) => {
    world.vendor.next({
      script: scripted(status, '<html>Bad gateway at 10.0.0.7</html>', { 'content-type': 'text/html' }),
    })
    const error = await thrown(how)
    expect(error).toBeInstanceOf(InternalServerError)
    expect(error).toMatchObject({ status: told, type })
    expect(error.headers!.has('retry-after')).toBe(told === 503)
    expect(error.message).not.toContain('10.0.0.7')
  })

  test.each([
    ['text', 'Hello'],
    ['nothing', ''],
    ['an array', '[]'],
    ['another object', '{"hello": "world"}'],
    ['no choices', '{"id": "c", "choices": []}'],
    ['an error', '{"error": {"message": "It broke", "code": 500}}'],
  ])("reports a vendor's 200 with %s", async (_what, body) => {
    world.vendor.next({ script: scripted(200, body) })
    const error = await thrown(how)
    expect(error).toBeInstanceOf(InternalServerError)
    expect(error).toMatchObject({ status: 502, type: 'upstream_error' })
  })
})

describe('a stream that breaks', () => {
  const broken = {
    model,
    messages: say('one two three four [sandbox: pace=0 error_after=3]'),
    stream: true,
  } as const

  test('throws in the SDK, after what was delivered', async () => {
    const texts: string[] = []
    const reading = async (): Promise<void> => {
      for await (const chunk of await world.client.chat.completions.create(broken)) {
        texts.push(chunk.choices[0]!.delta.content ?? '')
      }
    }
    await expect(reading()).rejects.toThrow(APIError)
    expect(texts.join('')).toBe('one two')
  })

  test('ends in a chunk with the error, and without [DONE]', async () => {
    const response = await world.node.chat(world.key, broken)
    const events = (await response.text()).split('\n\n')
    expect(events.pop()).toBe('')
    const chunks = events.map((event) => JSON.parse(event.slice('data: '.length)) as Record<string, unknown>)
    const last = chunks.pop()!
    expect(last).toEqual({
      id: chunks[0]!['id'],
      object: 'chat.completion.chunk',
      created: chunks[0]!['created'],
      model,
      choices: [{ index: 0, delta: {}, finish_reason: 'error' }],
      error: {
        message: expect.any(String),
        type: 'upstream_error',
        code: 502,
        param: null,
        request_id: response.headers.get('x-request-id'),
      },
    })
    for (const chunk of chunks) expect(schemas?.faultsOfChunk(chunk) ?? []).toEqual([])
    // This is a chunk of OpenAI's, except for the finish reason (docs/contract.md, 2).
    const [choice] = last['choices'] as object[]
    const stopped = { ...last, choices: [{ ...choice, finish_reason: 'stop' }] }
    expect(schemas?.faultsOfChunk(stopped) ?? []).toEqual([])
  })
})

test('a failed request costs nothing', async () => {
  const key = await world.node.createKey({ creditUsd: '3' })
  const client = sdk(world.node, key.raw)
  world.vendor.next({ script: scripted(500, '') })
  await thrown({}, client)
  await thrown({ temperature: 9 }, client)
  const { balance_usd: balance } = await world.node.admin<{ balance_usd: string }>(
    `/accounts/${key.accountId}`,
  )
  expect(balance).toBe('3')
})
