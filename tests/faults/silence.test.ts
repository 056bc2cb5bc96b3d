import { describe, expect, test } from 'vitest'
import { chunksOf, costOf, startFaultNode, textOf } from './fault-node.ts'
import { after, beforeHead } from './faulty-vendor.ts'
import { suiteWorld } from '../nodes/suite.ts'

/** Comments keep a silent stream open, but are not an answer: the next upstream may still provide one. */

const price = { prompt: '0.000001', completion: '0.000002' }
/** Longer than the silence after which the gateway sends a comment. */
const idleSeconds = 11.5

const misbehaviours = new Map([
  ['silent', after(0, 'hang')],
  ['dead', beforeHead('reset')],
])
const world = await suiteWorld(
  startFaultNode(misbehaviours, (urlOf) => ({
    providers: {
      silent: { style: 'openai', base_url: urlOf('silent'), upstream: { idle_seconds: idleSeconds } },
      dead: { style: 'openai', base_url: urlOf('dead') },
      good: { style: 'openai', base_url: urlOf('good') },
    },
    models: Object.fromEntries(
      ['silent', 'dead', 'good'].map((second) => [
        `silent/${second}`,
        {
          pricing: price,
          upstreams: [
            { provider: 'silent', model: 'a' },
            { provider: second, model: 'b' },
          ],
        },
      ]),
    ),
  })),
)

describe.concurrent('a stream whose upstream sends only its head', () => {
  test('is answered by the next upstream, within the same stream', async () => {
    const { response, body, row } = await world.ask({ model: 'silent/good', stream: true })
    expect(response.status).toBe(200)
    expect(body).toMatch(/^: keep-alive\n\ndata: \{/)
    expect(body.trimEnd()).toMatch(/data: \[DONE\]$/)
    expect(textOf(body)).toBe('one two three')
    expect(chunksOf(body)[0]!.model).toBe('silent/good')
    // When the head was sent, it was not known who would serve.
    for (const name of ['model', 'provider', 'attempts'])
      expect(response.headers.get(`x-turnpike-${name}`)).toBeNull()
    expect(row).toMatchObject({ outcome: 'completed', provider: 'good', cost_usd: costOf(row, price) })
    expect(row.attempts.map(({ result }) => result)).toEqual(['idle-timeout', 'ok'])
  }, 120_000)

  test('ends with an error event and costs nothing if the next upstream fails too', async () => {
    const { response, body, row } = await world.ask({ model: 'silent/dead', stream: true })
    expect(response.status).toBe(200)
    expect(body).toMatch(/^: keep-alive\n\ndata: \{/)
    const [only, ...others] = chunksOf(body)
    expect(others).toEqual([])
    expect(only).toMatchObject({
      choices: [{ delta: {}, finish_reason: 'error' }],
      error: { type: 'upstream_error', code: 502 },
    })
    expect(body).not.toContain('[DONE]')
    expect(row).toMatchObject({ outcome: 'failed', cost_usd: '0', model_served: null })
    expect(row.attempts.map(({ result }) => result)).toEqual(['idle-timeout', 'connection-lost'])
  }, 120_000)
})
