import OpenAI, { APIError } from 'openai'
import { describe, expect, test } from 'vitest'
import { testPythonFeatures } from '../python/test-features.ts'
import { sdk } from '../sdk-node.ts'
import { costUsd, counts, startCompletionsNode } from './completions-node.ts'
import { featuresVendor, said } from './features-vendor.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/*
 * OpenAI's SDKs call `completions.create`, with a vendor that has it, and with one that has only
 * conversations.
 */

const passed = 'vllm/m'
const translated = 'house/m'

const world = await suiteWorld(startCompletionsNode(featuresVendor()))

async function thrownBy(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe.each([passed, translated])('Node, %s', (model) => {
  test('plain', async () => {
    const completion = await world.client.completions.create({ model, prompt: 'Hello', max_tokens: 50 })
    expect(completion).toMatchObject({
      id: expect.stringMatching(/^cmpl-/) as string,
      object: 'text_completion',
      model,
      choices: [{ text: said, index: 0, logprobs: null }],
      usage: { ...counts, cost_usd: costUsd },
    })
  })

  test('streamed', async () => {
    const options = { stream: true, stream_options: { include_usage: true } } as const
    const stream = await world.client.completions.create({ model, prompt: 'Hello', ...options })
    let text = ''
    let usage: unknown
    for await (const event of stream) {
      expect(event).toMatchObject({ object: 'text_completion', model })
      text += event.choices.map((choice) => choice.text).join('')
      usage = event.usage ?? usage
    }
    expect(text).toBe(said)
    expect(usage).toMatchObject({ ...counts, cost_usd: costUsd })
  })

  test('gets an error for a stream that breaks off', async () => {
    const read = async (): Promise<void> => {
      const stream = await world.client.completions.create({ model, prompt: '[[cut]]', stream: true })
      for await (const _event of stream);
    }
    const error = await thrownBy(read())
    expect(error).toBeInstanceOf(APIError)
    expect(error).toMatchObject({ type: 'upstream_error' })
  })

  test('waits after a rate limit', async () => {
    const retrying = new OpenAI({ apiKey: world.key.raw, baseURL: world.node.baseUrl, maxRetries: 3 })
    const completion = await retrying.completions.create({ model, prompt: `[[limited]] node ${model}` })
    expect(completion.choices[0]!.text).toBe(said)
  })
})

test('Node: returns the choices of several prompts in order', async () => {
  const { choices } = await world.client.completions.create({
    model: passed,
    prompt: ['a', 'b'],
    n: 2,
    echo: true,
  })
  expect(choices.map(({ text }) => text)).toEqual(['a', 'a', 'b', 'b'].map((prompt) => prompt + said))
})

test('Node: reports a wrong key and an unknown model', async () => {
  const asked = (key: string, model: string): Promise<unknown> =>
    thrownBy(sdk(world.node, key).completions.create({ model, prompt: 'x' }))
  expect(await asked('sk-wrong', passed)).toMatchObject({ status: 401, type: 'authentication_error' })
  expect(await asked(world.key.raw, 'vllm/none')).toMatchObject({ status: 404, type: 'not_found_error' })
})

const everywhere = ['plain', 'stream', 'asynchronous', 'retries', 'broken_stream']

describe.each([
  [passed, [...everywhere, 'settings', 'prompts']],
  [translated, [...everywhere, 'refused']],
])('Python, %s', (model, features) => {
  testPythonFeatures(import.meta.dirname, features, () => [world.node.baseUrl, world.key.raw, model])
})
