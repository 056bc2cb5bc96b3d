import OpenAI, { APIConnectionError, APIUserAbortError } from 'openai'
import { describe, expect, test } from 'vitest'
import { said } from '../../messages/sdk/feature-vendor.ts'
import { startFeatureNode } from '../../messages/sdk/feature-node.ts'
import { sdk, thrownBy } from '../../sdk-node.ts'
import { modelOf, styleNames } from '../../vendors/scripted/styled-vendor.ts'
import { suiteWorld, testBooks } from '../../../nodes/suite.ts'

/** How `client.responses` handles refusals, and vendors that do not answer completely. */

type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming

const world = await suiteWorld(startFeatureNode())
const client = sdk(world.node, world.key.raw)

describe.each(styleNames)('with a vendor of the style %s', (style) => {
  const bodyOf = (feature: string): Body => ({ model: modelOf(style), input: `[[${feature}]] Hello` })
  const streamOf = (feature: string, from = client): ReturnType<OpenAI['responses']['stream']> =>
    from.responses.stream({ ...bodyOf(feature), stream: true })

  test('a rate limit: tells the SDK when to retry, and answers then', async () => {
    const error = await thrownBy(client.responses.create(bodyOf('limited once')))
    expect(error).toMatchObject({ status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' })
    expect(error.requestID).toMatch(/^req_/u)
    expect(Number(error.headers!.get('retry-after'))).toBeGreaterThanOrEqual(1)
    const retrying = new OpenAI({ apiKey: world.key.raw, baseURL: world.node.baseUrl, maxRetries: 3 })
    const ask = async (way: string): Promise<void> => {
      const feature = `limited ${way}`
      const answer = await (way === 'plain'
        ? retrying.responses.create(bodyOf(feature))
        : streamOf(feature, retrying).finalResponse())
      expect(answer.output_text).toBe(said)
      expect(world.asked(style, `[[${feature}]]`)).toHaveLength(2)
    }
    await Promise.all(['plain', 'streamed'].map(ask))
  })

  test('reports a prompt that is too long', async () => {
    expect(await thrownBy(client.responses.create(bodyOf('overlong')))).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    })
  })

  test("reports a vendor's failure", async () => {
    const error = await thrownBy(client.responses.create(bodyOf('failing')))
    expect(error).toMatchObject({ type: 'upstream_error', code: 'server_error' })
    expect(error.status).toBeGreaterThanOrEqual(500)
    expect(await thrownBy(streamOf('failing').finalResponse())).toMatchObject({ code: 'server_error' })
  })

  test("closes the vendor's stream if the client leaves", async () => {
    const stream = streamOf('silent')
    stream.once('response.output_text.delta', () => stream.abort())
    expect(await thrownBy(stream.finalResponse())).toBeInstanceOf(APIUserAbortError)
    await world.vendor.journal.awaitSettled()
    const entry = world.vendor.journal.entries.findLast(({ request }) => request.body.includes('[[silent]]'))
    expect(entry!.ending).toBe('client-closed')
  })

  test("aborts the vendor's plain answer if the client leaves", async () => {
    const controller = new AbortController()
    const left = thrownBy(client.responses.create(bodyOf('silent plain'), { signal: controller.signal }))
    await expect.poll(() => world.asked(style, '[[silent plain]]')).toHaveLength(1)
    controller.abort()
    expect(await left).toBeInstanceOf(APIUserAbortError)
    await world.vendor.journal.awaitSettled()
  })

  test('ends a stream that breaks off as a failed response', async () => {
    const stream = streamOf('cut')
    let text = ''
    let failed: OpenAI.Responses.Response | undefined
    stream.on('response.output_text.delta', ({ delta }) => (text += delta))
    stream.on('response.failed', ({ response }) => (failed = response))
    await stream.finalResponse().catch(() => undefined)
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'server_error' } })
    expect(text.length).toBeGreaterThan(0)
    expect(said.repeat(20).startsWith(text)).toBe(true)
  })

  test('reports a plain answer that breaks off as an error', async () => {
    const error = await thrownBy(client.responses.create(bodyOf('cut plain')))
    expect(error).not.toBeInstanceOf(APIConnectionError)
    expect(error).toMatchObject({ status: 502, code: 'server_error' })
  })
})

const model = modelOf('openai')
const output = { type: 'function_call_output', call_id: 'call_1', output: 'x' }

function picture(more: object): object {
  return { input: [{ role: 'user', content: [{ type: 'input_image', detail: 'auto', ...more }] }] }
}

test.each<[string, object, string]>([
  ['a temperature beyond its bounds', { temperature: 9 }, 'temperature'],
  ['an item without a type', { input: [{ content: 'x' }] }, 'input[0].type'],
  ['a picture without its address', picture({}), 'input[0].content[0].image_url'],
  ['a kept file', picture({ file_id: 'file-1' }), 'input[0].content[0].file_id'],
  ['an output without a call', { input: [output] }, 'input[0].call_id'],
  ['an earlier response', { previous_response_id: 'resp_1' }, 'previous_response_id'],
  ['a conversation', { conversation: 'conv_1' }, 'conversation'],
  ['an answer in the background', { background: true }, 'background'],
  ['a prompt kept at OpenAI', { prompt: { id: 'pmpt_1' } }, 'prompt'],
  ['an unknown truncation', { truncation: 'middle' }, 'truncation'],
  ['a tool without a name', { tools: [{ type: 'function', parameters: {} }] }, 'tools[0].name'],
  ['a choice of an unknown tool', { tool_choice: { type: 'function', name: 'f' } }, 'tool_choice.name'],
])('refuses %s by its path', async (_what, wrong, param) => {
  const error = await thrownBy(client.responses.create({ model, input: 'x', ...wrong } as Body))
  expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', param })
  expect(error.message).toContain(param)
})

test('reports an unknown model, a wrong key, and lack of credit', async () => {
  const body: Body = { model, input: 'x' }
  expect(await thrownBy(client.responses.create({ ...body, model: 'openai/nobody' }))).toMatchObject({
    status: 404,
    type: 'not_found_error',
    param: 'model',
  })
  const stranger = sdk(world.node, 'sk-turnpike-nobody')
  expect(await thrownBy(stranger.responses.create(body))).toMatchObject({
    status: 401,
    code: 'invalid_api_key',
  })
  const poor = sdk(world.node, (await world.node.createKey({ creditUsd: '0' })).raw)
  expect(await thrownBy(poor.responses.create(body))).toMatchObject({
    status: 402,
    code: 'insufficient_quota',
    type: 'insufficient_quota',
  })
})

testBooks(world)
