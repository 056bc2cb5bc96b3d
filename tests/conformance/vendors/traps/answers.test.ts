import type { VendorScript } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import { list, object, type Json } from '../oracle/json.ts'
import type { ScriptedAnswer } from '../scripted/scripted-answer.ts'
import { scriptedFormats } from '../scripted/scripted-node.ts'
import { errorOf, finishOf, messageOf, script, startTrapNode, usage, type Asked } from './trap-node.ts'
import { suiteWorld } from '../../../nodes/suite.ts'

const hello: ScriptedAnswer = { text: 'Grüße 🌍', usage }

const world = await suiteWorld(startTrapNode())

/** The vendor's stream, with changes. */
function changed(vendor: string, change: (body: string) => string): VendorScript {
  const { says } = scriptedFormats.find((one) => one.vendor === vendor)!
  const body = String(says.stream([hello]))
  return script(change(body), 200, { 'content-type': 'text/event-stream' })
}

/** The events up to the first text, all well-formed. */
function upToFirstText(body: string): string {
  const events = body.split(/(?<=\n\r?\n)/u)
  return events.slice(0, events.findIndex((event) => event.includes('Grü')) + 1).join('')
}

const vendors = scriptedFormats.map(({ vendor }) => vendor)
const stream = { stream: true }

function expectErrorEvent(answer: Asked): void {
  expect(answer.done).toBe(false)
  expect(answer.chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'error' }], error: {} })
}

describe('streams', () => {
  test.each(vendors)('end with an error if there is no finish reason: %s', async (vendor) => {
    const answer = await world.ask(vendor, stream, changed(vendor, upToFirstText))
    expectErrorEvent(answer)
    expect(messageOf(answer)['content']).toMatch(/^Grü/u)
  })

  test.each(vendors)('have only whole events before an error if one is cut: %s', async (vendor) => {
    const whole = changed(vendor, (body) => body.slice(0, upToFirstText(body).length + 20))
    const steps = whole.steps.map((step) => (step.type === 'end' ? ({ type: 'reset' } as const) : step))
    const answer = await world.ask(vendor, stream, { ...whole, steps })
    expectErrorEvent(answer)
    expect(messageOf(answer)['content']).toMatch(/^Grü/u)
  })

  test.each(vendors)('ignore comments, pings and blank events: %s', async (vendor) => {
    const noise = ': waiting\n\nevent: ping\ndata: {"type": "ping"}\n\n\n\nretry: 100\nid: 7\n\n'
    const quiet = vendor === 'anthropic' ? noise : noise.replace(/event: ping\n.*\n\n/u, '')
    const noisy = changed(vendor, (body) => quiet + body.replaceAll(/(\r?\n){2}/gu, (end) => end + quiet))
    const answer = await world.ask(vendor, stream, noisy)
    expect(answer).toMatchObject({ status: 200, done: true })
    expect(messageOf(answer)['content']).toBe(hello.text)
  })

  test.each(vendors)('report usage only on request, last and once: %s', async (vendor) => {
    const unasked = await world.ask(vendor, stream, hello)
    for (const chunk of unasked.chunks) expect(chunk).not.toHaveProperty('usage')
    const answer = await world.ask(vendor, { ...stream, stream_options: { include_usage: true } }, hello)
    const [last, ...before] = answer.chunks.toReversed()
    expect(last).toMatchObject({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 40 } })
    for (const chunk of before) expect(chunk['usage']).toBeNull()
    expect(answer.sent).not.toHaveProperty('include_usage')
  })

  test('pass on an error event of Anthropic, after what came before it', async () => {
    const overloaded = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'
    const broken = changed('anthropic', (body) => {
      const at = body.indexOf('event: content_block_stop')
      return `${body.slice(0, at)}event: error\ndata: ${overloaded}\n\n`
    })
    const answer = await world.ask('anthropic', stream, broken)
    expectErrorEvent(answer)
    expect(messageOf(answer)['content']).toBe(hello.text)
    const error = object(answer.chunks.at(-1)!['error'])
    expect(error).toMatchObject({ type: 'service_unavailable', code: 503 })
  })

  test.each([
    ['anthropic', { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 503],
    ['openai', { error: { message: 'Rate limit reached', code: 429 } }, 429],
    ['gemini', [{ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }], 503],
    ['mistral', { object: 'error', message: 'Service unavailable', code: 503 }, undefined],
  ] as const)('JSON under text/event-stream is the error that it holds: %s', async (vendor, body, status) => {
    const answer = await world.ask(vendor, stream, script(body, 200, { 'content-type': 'text/event-stream' }))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    if (status !== undefined) expect(answer.status).toBe(status)
    expect(errorOf(answer)['code']).toBe(answer.status)
  })

  test.each(vendors)('may lack their last line end: %s', async (vendor) => {
    const answer = await world.ask(
      vendor,
      stream,
      changed(vendor, (body) => body.trimEnd() + '\n'),
    )
    expect(answer).toMatchObject({ status: 200, done: true })
  })
})

describe('the finish reason', () => {
  const finishes: [string, string, string][] = [
    ['anthropic', 'end_turn', 'stop'],
    ['anthropic', 'stop_sequence', 'stop'],
    ['anthropic', 'pause_turn', 'stop'],
    ['anthropic', 'max_tokens', 'length'],
    ['anthropic', 'model_context_window_exceeded', 'length'],
    ['anthropic', 'tool_use', 'tool_calls'],
    ['anthropic', 'refusal', 'content_filter'],
    ['anthropic', 'a_word_of_tomorrow', 'stop'],
    ['gemini', 'STOP', 'stop'],
    ['gemini', 'MAX_TOKENS', 'length'],
    ['gemini', 'SAFETY', 'content_filter'],
    ['gemini', 'RECITATION', 'content_filter'],
    ['gemini', 'PROHIBITED_CONTENT', 'content_filter'],
    ['gemini', 'BLOCKLIST', 'content_filter'],
    ['gemini', 'SPII', 'content_filter'],
    ['gemini', 'A_WORD_OF_TOMORROW', 'stop'],
    ['mistral', 'stop', 'stop'],
    ['mistral', 'length', 'length'],
    ['mistral', 'model_length', 'length'],
    ['mistral', 'tool_calls', 'tool_calls'],
    ['mistral', 'a_word_of_tomorrow', 'stop'],
    ['deepseek', 'stop', 'stop'],
    ['deepseek', 'length', 'length'],
    ['deepseek', 'content_filter', 'content_filter'],
    ['openai', 'content_filter', 'content_filter'],
    ['openai', 'a_word_of_tomorrow', 'stop'],
  ]

  test.each(finishes)('%s: %s', async (vendor, raw, expected) => {
    const { says } = scriptedFormats.find((one) => one.vendor === vendor)!
    const plainBody = JSON.stringify(says.plain([hello]))
    const body = plainBody.replace(/("(?:finish|stop)_?[rR]eason":)"\w+"/u, `$1"${raw}"`)
    expect(finishOf(await world.ask(vendor, {}, script(body)))).toBe(expected)
    const streamed = changed(vendor, (text) =>
      text.replaceAll(/("(?:finish|stop)_?[rR]eason":)"\w+"/gu, `$1"${raw}"`),
    )
    expect(finishOf(await world.ask(vendor, stream, streamed))).toBe(expected)
  })
})

describe('answers without contents', () => {
  const counted = { promptTokenCount: 7, totalTokenCount: 7 }
  const empty: [string, Json][] = [
    ['a prompt that was blocked', { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: counted }],
    [
      'a candidate that was blocked',
      { candidates: [{ index: 0, finishReason: 'SAFETY' }], usageMetadata: counted },
    ],
  ]

  test.each(empty)('Google: %s is a well-formed answer with content_filter', async (_what, body) => {
    for (const asksStream of [false, true]) {
      const answer = await world.ask(
        'gemini',
        { stream: asksStream },
        asksStream
          ? script(`data: ${JSON.stringify(body)}\r\n\r\n`, 200, { 'content-type': 'text/event-stream' })
          : script(body),
      )
      expect(answer.status).toBe(200)
      expect(finishOf(answer)).toBe('content_filter')
      expect(messageOf(answer)).toMatchObject({ role: 'assistant' })
      expect(messageOf(answer)['content'] ?? '').toBe('')
    }
  })

  test('Anthropic: a refusal is a well-formed answer with content_filter', async () => {
    const { says } = scriptedFormats.find((one) => one.vendor === 'anthropic')!
    const refusal = { ...says.plain([hello]), content: [], stop_reason: 'refusal' }
    const answer = await world.ask('anthropic', {}, script(refusal))
    expect(finishOf(answer)).toBe('content_filter')
    expect(list(answer.body['choices'])).toHaveLength(1)
  })
})

describe('a JSON answer that a model gives as a tool call', () => {
  const called = { id: 'toolu_1', name: 'turnpike_json_answer', arguments: { colour: 'red' } }

  test.each([true, false])('has no preamble in front of the JSON, stream: %s', async (stream) => {
    const request = { response_format: { type: 'json_object' }, stream }
    const preamble = { text: 'Here is the JSON you asked for:', calls: [called], usage }
    const answer = await world.ask('anthropic', request, preamble)
    expect(JSON.parse(String(messageOf(answer)['content']))).toEqual({ colour: 'red' })
    expect(finishOf(answer)).toBe('stop')
    const plain = await world.ask('anthropic', request, { text: '{"colour": "blue"}', usage })
    expect(messageOf(plain)['content']).toBe('{"colour": "blue"}')
  })
})
