import { describe, expect, test } from 'vitest'
import { list, object, type Json } from '../oracle/json.ts'
import {
  asked,
  callsOf,
  errorOf,
  finishOf,
  messageOf,
  script,
  startTrapNode,
  toolOf,
  type Asked,
} from './trap-node.ts'
import { suiteWorld } from '../../../nodes/suite.ts'

/*
 * Cases without a recording, known from vendors' pages and issue trackers, tested through a real gateway as
 * its caller sees them. `packages/dialects` names the source of each.
 */

const tools = ['look', 'note'].map((name) => toolOf(name))
const head = { id: 'c-1', object: 'chat.completion', created: 1_770_000_000, model: 'm' }
const counted = { prompt_tokens: 12, completion_tokens: 40, total_tokens: 52 }

const world = await suiteWorld(startTrapNode())

function streamed(...events: unknown[]): ReturnType<typeof script> {
  const lines = events.map((event) => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}`))
  return script(`${lines.join('\r\n\r\n')}\r\n\r\n`, 200, { 'content-type': 'text/event-stream' })
}

function chunk(delta: object, finish_reason: string | null = null): object {
  return { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] }
}

describe('calls that a client could not assemble', () => {
  const called = (id: string | undefined, name: string, given: unknown): object => ({
    index: 0,
    ...(id === undefined ? {} : { id }),
    type: 'function',
    function: { name, arguments: given },
  })

  test('are separated if they are streamed under one index, as by Ollama', async () => {
    const answer = await world.ask(
      'moonshot',
      { tools, stream: true },
      streamed(
        chunk({ tool_calls: [called('a', 'look', '{"at":1}')] }),
        chunk({ tool_calls: [called('b', 'note', '{"of":2}')] }),
        chunk({}, 'tool_calls'),
        { ...head, choices: [], usage: counted },
        'data: [DONE]',
      ),
    )
    expect(callsOf(answer)).toEqual([
      { id: 'a', name: 'look', arguments: '{"at":1}' },
      { id: 'b', name: 'note', arguments: '{"of":2}' },
    ])
    expect(finishOf(answer)).toBe('tool_calls')
  })

  test('with objects as arguments and no identifiers are completed for the next vendor', async () => {
    const message = {
      content: null,
      tool_calls: [called(undefined, 'look', { at: 1 }), called('', 'note', {})],
    }
    const body = { ...head, choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage: counted }
    const first = await world.ask('moonshot', { tools }, script(body))
    const calls = callsOf(first)
    expect(calls.map((call) => call.arguments)).toEqual(['{"at":1}', '{}'])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
    const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: `for ${id}` }))
    const messages = [...asked('Look.'), messageOf(first), ...results]
    const { sent } = await world.ask('anthropic', { messages, tools })
    const turns = list(sent!['messages'])
    const uses = list(turns[1]!['content']).map((block) => block['id'])
    expect(list(turns[2]!['content']).map((block) => block['tool_use_id'])).toEqual(uses)
    expect(uses).toEqual(calls.map(({ id }) => id))
  })
})

describe('an error outside of an event, after an answer that seems complete', () => {
  const error = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }
  const bare = JSON.stringify(error, null, 2).replaceAll('\n', '\r\n')
  const answerBody = { candidates: [{ content: { parts: [{ text: 'Okay' }] }, finishReason: 'STOP' }] }
  const lastError = ({ chunks }: Asked): Json => object(chunks.at(-1)!['error'])

  test('ends the stream', async () => {
    const answer = await world.ask('gemini', { stream: true }, streamed(answerBody, bare))
    expect(lastError(answer)).toMatchObject({ type: 'service_unavailable', code: 503 })
    expect(answer.done).toBe(false)
  })

  test('gives a status if there was no output before', async () => {
    const answer = await world.ask('gemini', { stream: true }, streamed(': wait', bare))
    expect(answer.status).toBe(503)
  })

  test('is the same in OpenAI’s format', async () => {
    const events = [chunk({ content: 'Okay' }), chunk({}, 'stop'), '{"error":{"message":"Gone.","code":429}}']
    const answer = await world.ask('moonshot', { stream: true }, streamed(...events))
    expect(lastError(answer)).toMatchObject({ type: 'rate_limit_error', message: 'Gone.' })
  })
})

describe('the cause of an error', () => {
  test('is not reported to be the caller if our account is empty', async () => {
    const errorBody = { error: { code: '1113', message: 'Insufficient balance or no resource package.' } }
    const answer = await world.ask('moonshot', {}, script(errorBody, 429))
    expect([answer.status, errorOf(answer)['type']]).toEqual([503, 'service_unavailable'])
    expect(JSON.stringify(answer.body)).not.toContain('balance')
  })

  test('is the caller if the request is bad, and our key gets no cooldown', async () => {
    const quoted = {
      error: { message: "Invalid value: 'incorrect api key'.", param: 'verbosity', code: null },
    }
    const content = {
      code: 'x',
      error: 'Content violates usage guidelines. Team: t-1, API key ID: k-1, Model: m',
    }
    for (const [body, status] of [[quoted, 400] as const, [content, 403] as const]) {
      const answer = await world.ask('openai', {}, script(body, status))
      expect([answer.status, errorOf(answer)['type']]).toEqual([status, 'invalid_request_error'])
      expect(JSON.stringify(answer.body)).not.toContain('k-1')
    }
    expect((await world.ask('openai', {})).status).toBe(200)
  })
})

test('OpenAI’s developer role becomes system for a vendor that does not know it', async () => {
  const messages = [{ role: 'developer', content: 'Be brief.' }, ...asked('Well?')]
  const roles = async (vendor: string): Promise<unknown> =>
    list((await world.ask(vendor, { messages })).sent!['messages']).map((message) => message['role'])
  expect(await roles('moonshot')).toEqual(['system', 'user'])
  expect(await roles('openai')).toEqual(['developer', 'user'])
})
