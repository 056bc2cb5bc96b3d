import { describe, expect, test } from 'vitest'
import { text } from '../vendors/oracle/json.ts'
import { scripted } from '../sdk-node.ts'
import { asAnthropic } from '../vendors/scripted/as-anthropic.ts'
import { streamScript, type ScriptedAnswer } from '../vendors/scripted/scripted-answer.ts'
import { findAgent } from './agent-program.ts'
import { AgentWorld } from './agent-world.ts'
import { codex, lastMessage, runCodex, type CodexOptions, type CodexRun } from './codex.ts'

/** How the real Codex handles broken answers and errors. */

const program = findAgent(codex)
const usage = { input: 12, cached: 0, output: 40, reasoning: 0 }
const last: ScriptedAnswer = { id: 'last', text: 'All is well that ends well.', usage }

describe.runIf(program !== undefined)('Codex', () => {
  const world = AgentWorld.of('anthropic')

  async function run(more: Partial<CodexOptions> = {}): Promise<CodexRun> {
    const { proxy, key, model, home, project } = world
    const options = { origin: proxy.origin, token: key.raw, model, prompt: 'Hello', home, project, ...more }
    world.turns = [last]
    return runCodex(program!, options)
  }

  function statuses(): number[] {
    return world.proxy.exchanges.map(({ status }) => status)
  }

  function errorsOf({ told }: CodexRun): string[] {
    return told.filter(({ type }) => type === 'error').map(({ message }) => text(message))
  }

  test('retries after a stream that breaks off', async () => {
    const broken = streamScript(asAnthropic, { text: 'All is '.repeat(20), usage })
    world.vendor.next({ script: broken, fault: { kind: 'reset', at: 0.6 } })
    const done = await run()
    expect(statuses()).toEqual([200, 200])
    expect(world.proxy.exchanges[0]!.answer).toContain('event: response.failed')
    expect(lastMessage(done)).toBe(last.text)
    expect(done.exitCode).toBe(0)
  })

  test('retries if no vendor answers', async () => {
    const overloaded = scripted(529, {
      type: 'error',
      error: { type: 'overloaded_error', message: 'Later.' },
    })
    for (let count = 0; count < 2; count++) world.vendor.next({ script: overloaded })
    const done = await run()
    expect(statuses()).toEqual([503, 503, 200])
    expect(lastMessage(done)).toBe(last.text)
  })

  test('retries after a rate limit', async () => {
    const limited = scripted(429, {
      type: 'error',
      error: { type: 'rate_limit_error', message: 'Slow down.' },
    })
    for (let count = 0; count < 2; count++) world.vendor.next({ script: limited })
    const done = await run()
    expect(statuses()).toEqual([429, 429, 200])
    expect(errorsOf(done)[0]).toContain('429 Too Many Requests')
    expect(lastMessage(done)).toBe(last.text)
  })

  test('reports that the credit is used up', async () => {
    const { raw } = await world.node.createKey({ creditUsd: '0' })
    const done = await run({ token: raw })
    expect(new Set(statuses())).toEqual(new Set([402]))
    expect(errorsOf(done).at(-1)).toContain("The key's credit of 0 USD does not cover this request")
    expect(done.exitCode).toBe(1)
  })

  test('reports what is wrong with a request', async () => {
    const body = { type: 'error', error: { type: 'invalid_request_error', message: 'messages: too odd.' } }
    world.vendor.next({ script: scripted(400, body) })
    const done = await run()
    expect(statuses()).toEqual([400])
    expect(errorsOf(done).at(-1)).toContain('too odd')
  })

  test('falls back from a WebSocket to server-sent events', async () => {
    const settings = ['model_providers.turnpike.supports_websockets=true']
    // The proxy in between does not support WebSockets, and would break the connection.
    const done = await run({ settings, origin: world.node.origin })
    expect(errorsOf(done)).toEqual([])
    expect(lastMessage(done)).toBe(last.text)
  })
})
