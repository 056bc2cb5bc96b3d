import { describe, expect, test } from 'vitest'
import { scripted, sdk } from '../sdk-node.ts'
import { answerOf, startCompletionsNode, streamOf } from './completions-node.ts'
import { suiteWorld, testBooks } from '../../nodes/suite.ts'

/* Holds and charges of completions: for each answer to each prompt, but not for repeated prompts. */

const world = await suiteWorld(startCompletionsNode())

const model = 'vllm/m'
const prompt = 'Tell me of the mountains, '.repeat(200)

interface Row {
  outcome: string
  tokens_in: number
  tokens_out: number
  cost_usd: string
  endpoint: string
  operation: string
}

async function rowOf(response: Response): Promise<Row> {
  await response.text()
  const path = `/accounts/${world.key.accountId}/usage/requests/${response.headers.get('x-request-id')}`
  let row: Row | undefined
  await expect
    .poll(async () => (row = await world.node.admin<Row>(path).catch(() => undefined)), { timeout: 30_000 })
    .toBeDefined()
  return row!
}

describe('a hold covers', () => {
  // An output token costs 2 millionths of a dollar.
  test.each([
    ['each prompt', { prompt: Array.from({ length: 10 }, () => 'x'), max_tokens: 100 }],
    ['each choice', { prompt: 'x', n: 10, max_tokens: 100 }],
    ['each candidate of best_of', { prompt: 'x', n: 2, best_of: 10, max_tokens: 100 }],
    ['all of them together', { prompt: ['x', 'y'], n: 1, best_of: 5, max_tokens: 100 }],
    ['the default of the bound', { prompt: ['x', 'y'], n: 32 }],
    ['another name of the bound', { prompt: 'x', n_predict: 1_000 }],
  ])('%s', async (_what, asked) => {
    const ask = async (creditUsd: string): Promise<number> => {
      const key = await world.node.createKey({ creditUsd })
      const response = await world.node.post(key, '/completions', { model, ...asked })
      await response.text()
      return response.status
    }
    expect(await ask('0.0019')).toBe(402)
    world.vendor.next({ script: scripted(200, answerOf(['x'])) })
    expect(await ask('0.0022')).toBe(200)
  })

  test('each token that is given by its number', async () => {
    const { raw } = await world.node.createKey({ creditUsd: '0.01' })
    const numbers = Array.from({ length: 10_000 }, () => 1)
    const asked = sdk(world.node, raw).completions.create({ model, prompt: numbers, max_tokens: 1 })
    await expect(asked).rejects.toMatchObject({ status: 402 })
  })
})

describe('if the vendor reports no usage', () => {
  const uncounted = answerOf([`${prompt} there`], { usage: undefined })
  const stream = (): ReturnType<typeof streamOf> =>
    streamOf(
      [
        [0, prompt],
        [0, ' there'],
      ],
      null,
    )

  test.each([
    ['whole', false, prompt],
    ['streamed', true, prompt],
    ['in a list', false, [prompt]],
  ])('a repeated prompt does not count as output: %s', async (_how, isStream, asked) => {
    world.vendor.next({ script: isStream ? stream() : scripted(200, uncounted) })
    const response = await world.ask({ model, prompt: asked, echo: true, stream: isStream })
    const row = await rowOf(response)
    expect(row).toMatchObject({ outcome: 'completed', tokens_out: 1 })
    expect(row.tokens_in).toBeGreaterThan(1_000)
  })

  test('tokens given by their numbers are counted by their number', async () => {
    world.vendor.next({ script: scripted(200, answerOf([' there'], { usage: undefined })) })
    const row = await rowOf(
      await world.ask({
        model,
        prompt: [
          [1, 2, 3],
          [4, 5],
        ],
      }),
    )
    expect(row).toMatchObject({ tokens_in: 5, tokens_out: 1, endpoint: 'completions', operation: 'generate' })
  })
})

test.each([
  [1, false],
  [2, true],
])('each prompt may fill the context: %i prompts, accepted: %s', async (prompts, isBelieved) => {
  const usage = { prompt_tokens: 150_000, completion_tokens: 1, total_tokens: 150_001 }
  world.vendor.next({ script: scripted(200, answerOf(['x'], { usage })) })
  const row = await rowOf(await world.ask({ model, prompt: Array.from({ length: prompts }, () => 'x') }))
  expect(row.tokens_in === 150_000).toBe(isBelieved)
})

test('a prompt may be read without any output', async () => {
  const usage = { prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 }
  for (const stream of [false, true]) {
    const script = stream ? streamOf([[0, 'Say']], usage) : scripted(200, answerOf(['Say'], { usage }))
    world.vendor.next({ script })
    const asked = { model, prompt: 'Say', echo: true, logprobs: 1, max_tokens: 0, stream }
    const row = await rowOf(await world.ask(asked))
    expect(row).toMatchObject({ outcome: 'completed', tokens_in: 5, tokens_out: 0, cost_usd: '0.000005' })
    expect(world.sent().body).toMatchObject({ max_tokens: 0 })
  }
})

testBooks(world)
