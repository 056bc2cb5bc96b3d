import { describe, expect, test } from 'vitest'
import { scripted } from '../sdk-node.ts'
import { answerOf, costUsd, counts, startCompletionsNode, streamOf } from './completions-node.ts'
import { suiteWorld, testBooks } from '../../nodes/suite.ts'

/* Completions with vendors that have them: the bytes of caller and vendor pass unchanged. */

const world = await suiteWorld(startCompletionsNode())

const vendors: [model: string, path: string][] = [
  ['openai/gpt-3.5-turbo-instruct', '/v1/completions'],
  ['vllm/m', '/v1/completions'],
  ['azure/m', '/openai/v1/completions'],
  ['deepseek/m', '/beta/completions'],
  ['local/m', '/v1/completions'],
]

describe.each(vendors)('%s', (model, path) => {
  test("gets the caller's bytes, and its answer gets the cost added", async () => {
    world.vendor.next({ script: scripted(200, answerOf([' a', ' b'])) })
    const asked = { prompt: 'Say', suffix: 'end', n: 2, best_of: 3, max_tokens: 7, logprobs: 2, echo: true }
    const response = await world.ask({ model, ...asked, top_k: 5, metadata: { tags: ['x'] } })
    const { cost_usd: _told, cost: _number, ...usage } = { ...counts, cost_usd: '', cost: 0 }
    expect(await response.json()).toMatchObject({
      ...answerOf([' a', ' b']),
      model,
      usage: { ...usage, cost_usd: costUsd },
    })
    const { path: at, body } = world.sent()
    expect([at, body]).toEqual([path, { model: model.slice(model.indexOf('/') + 1), ...asked, top_k: 5 }])
  })

  test.each([
    [{ prompt: ['a', 'b'] }],
    [{ prompt: [1, 2, 3] }],
    [{ prompt: [[1], [2, 3]] }],
    [{ prompt: '' }],
  ])('accepts its prompt in each form: %j', async (asked) => {
    world.vendor.next({ script: scripted(200, answerOf(['x'])) })
    expect((await world.ask({ model, ...asked, max_tokens: 1 })).status).toBe(200)
    expect(world.sent().body).toMatchObject(asked)
  })

  test("gets OpenAI's default bound if a request has none", async () => {
    world.vendor.next({ script: scripted(200, answerOf(['x'])) })
    await world.ask({ model, prompt: 'Say' })
    expect(world.sent().body).toMatchObject({ max_tokens: 16 })
  })

  test('streams its choices byte by byte, and its usage on request', async () => {
    const pieces: [number, string][] = [
      [0, 'Zü'],
      [1, 'b'],
      [0, 'rich "\\'],
      [1, '🌍'],
    ]
    world.vendor.next({ script: streamOf(pieces), split: { seed: 3, meanBytes: 5 } })
    const asked = { model, prompt: 'x', n: 2, stream: true }
    const text = await (await world.ask({ ...asked, stream_options: { include_usage: true } })).text()
    const events = eventsOf(text)
    expect(events.map(({ choices }) => choices)).toEqual([
      ...pieces.map(([index, said], at) => [
        { text: said, index, logprobs: null, finish_reason: at < 2 ? null : 'length' },
      ]),
      [],
    ])
    for (const event of events) expect(event).toMatchObject({ object: 'text_completion', model })
    expect(events.at(-1)).toMatchObject({ usage: { ...counts, cost_usd: costUsd } })
    expect(events[0]!['usage']).toBeNull()
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    world.vendor.next({ script: streamOf(pieces) })
    const plain = eventsOf(await (await world.ask(asked)).text())
    expect(plain.every((event) => !('usage' in event))).toBe(true)
    expect(world.sent().body).toMatchObject({ stream_options: { include_usage: true } })
  })
})

function eventsOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as Record<string, unknown>)
}

testBooks(world)
