import Anthropic, { APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import { modelOf, styleNames } from '../../vendors/scripted/styled-vendor.ts'
import { said } from './feature-vendor.ts'
import { startFeatureNode } from './feature-node.ts'
import { suiteWorld, testBooks } from '../../../nodes/suite.ts'

/** How `@anthropic-ai/sdk` handles a vendor of each style that does not answer, or not completely. */

const world = await suiteWorld(startFeatureNode())

async function thrownBy(answered: Promise<unknown>): Promise<unknown> {
  return answered.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe.each(styleNames)('with a vendor of the style %s', (style) => {
  const bodyOf = (feature: string): Anthropic.MessageCreateParamsNonStreaming => ({
    model: modelOf(style),
    max_tokens: 4_000,
    messages: [{ role: 'user', content: `[[${feature}]] Hello` }],
  })

  test.each([
    ['limited', 429, 'rate_limit_error'],
    ['overloaded', 529, 'overloaded_error'],
  ])('%s: tells the SDK when to retry, and answers then', async (feature, status, type) => {
    const error = await thrownBy(world.client.messages.create(bodyOf(`${feature} once`)))
    expect(error).toBeInstanceOf(APIError)
    expect(error).toMatchObject({ status, type, requestID: expect.stringMatching(/^req_/u) as string })
    expect(Number((error as APIError).headers!.get('retry-after'))).toBeGreaterThanOrEqual(1)
    const retrying = new Anthropic({ apiKey: world.key.raw, baseURL: world.node.origin, maxRetries: 3 })
    const ask = async (way: string): Promise<void> => {
      const body = bodyOf(`${feature} ${way}`)
      const { messages } = retrying
      const message = await (way === 'plain' ? messages.create(body) : messages.stream(body).finalMessage())
      expect(message.content).toEqual([{ type: 'text', text: said }])
      expect(world.asked(style, `[[${feature} ${way}]]`)).toHaveLength(2)
    }
    await Promise.all(['plain', 'streamed'].map(ask))
  })

  test("closes the vendor's stream if the client leaves", async () => {
    const stream = world.client.messages.stream(bodyOf('silent'))
    stream.once('text', () => stream.abort())
    expect(await thrownBy(stream.finalMessage())).toBeInstanceOf(APIUserAbortError)
    await world.vendor.journal.awaitSettled()
    const entry = world.vendor.journal.entries.findLast(({ request }) => request.body.includes('[[silent]]'))
    expect(entry!.ending).toBe('client-closed')
  })

  test("aborts the vendor's plain answer if the client leaves", async () => {
    const controller = new AbortController()
    const answered = world.client.messages.create(bodyOf('silent plain'), { signal: controller.signal })
    const left = thrownBy(answered)
    await expect.poll(() => world.asked(style, '[[silent plain]]')).toHaveLength(1)
    controller.abort()
    expect(await left).toBeInstanceOf(APIUserAbortError)
    await world.vendor.journal.awaitSettled()
  })

  test('reports a stream that breaks off as an error, never as an answer', async () => {
    const stream = world.client.messages.stream(bodyOf('cut'))
    let text = ''
    stream.on('text', (piece) => (text += piece))
    const error = await thrownBy(stream.finalMessage())
    expect(error).toBeInstanceOf(APIError)
    expect(error).not.toBeInstanceOf(APIConnectionError)
    expect(error).toMatchObject({ type: 'api_error' })
    expect(said.repeat(20).startsWith(text)).toBe(true)
    expect(text.length).toBeGreaterThan(0)
  })

  test('reports a plain answer that breaks off as an error', async () => {
    const error = await thrownBy(world.client.messages.create(bodyOf('cut plain')))
    expect(error).toMatchObject({ status: 502, type: 'api_error' })
  })
})

testBooks(world)
