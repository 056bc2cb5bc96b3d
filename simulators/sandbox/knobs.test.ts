import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ScriptStep } from '../vendor/script.ts'
import { knobDocumentation, knobTable, readKnobs, withoutKnobs } from './knobs.ts'
import { ask, type PlayedAnswer } from './testing/play.ts'
import { createSandboxVendor } from './vendor.ts'

const vendor = createSandboxVendor()
const tools = ['get_weather', 'get_time'].map((name) => ({ type: 'function', function: { name } }))

function turn(knobs: string, more: Record<string, unknown> = {}): PlayedAnswer {
  const content = `one two three four five [sandbox: ${knobs}]`
  return ask(vendor, { model: 'echo', messages: [{ role: 'user', content }], ...more })
}

const streamed = { stream: true, stream_options: { include_usage: true } }

function stepTypes(answer: PlayedAnswer): ScriptStep['type'][] {
  return answer.script.steps.map((step) => step.type)
}

function errorOf(answer: PlayedAnswer): unknown {
  return (JSON.parse(answer.text) as { error: unknown }).error
}

test('the documentation contains the table of the code', () => {
  const text = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')
  expect(text).toContain(knobDocumentation())
})

test('every knob has a test in this file', () => {
  const source = readFileSync(new URL(import.meta.url), 'utf8')
  for (const name of Object.keys(knobTable)) expect(source).toContain(`knob('${name}'`)
})

test.each([
  ['nonsense', 'Unknown sandbox knob "nonsense". Known knobs: error, retry_after, delay'],
  ['hang=1', '"hang" is written as in "hang"'],
  ['error=200', '"error" is written as in "error=429"'],
  ['error', '"error"'],
  ['delay=2', '"delay" is written as in "delay=2s"'],
  ['pace=-1/s', '"pace"'],
  ['pace=0/s', '"pace"'],
  ['tokens=-5', '"tokens"'],
  ['tokens=99999999', '"tokens"'],
  ['tool=', '"tool"'],
])('[sandbox: %s] is a 400', (knobs, message) => {
  const answer = turn(knobs)
  expect(answer.script.status).toBe(400)
  expect(errorOf(answer)).toMatchObject({ message: expect.stringContaining(message), param: 'messages' })
})

test('later knobs win over earlier ones, and an echo leaves them out', () => {
  expect(readKnobs(['[sandbox: tokens=1 hang]', 'a [Sandbox:tokens=2] b [sandbox: pace=0]'])).toEqual({
    tokens: 2,
    hang: true,
    pace: 0,
  })
  expect(withoutKnobs('[sandbox: hang] hello [other]')).toBe('hello [other]')
})

test('knobs in a system message apply to the whole conversation', () => {
  const system = { role: 'system', content: '[sandbox: error=503]' }
  const answer = ask(vendor, { model: 'echo', messages: [system, { role: 'user', content: 'hi' }] })
  expect(answer.script.status).toBe(503)
})

function knob(name: keyof typeof knobTable, body: () => void): void {
  test(name, body)
}

describe('failures', () => {
  knob('error', () => {
    for (const more of [{}, streamed]) {
      expect(turn('error=500', more).script.status).toBe(500)
      expect(errorOf(turn('error=500', more))).toMatchObject({ type: 'server_error' })
      expect(errorOf(turn('error=429', more))).toMatchObject({
        type: 'requests',
        code: 'rate_limit_exceeded',
      })
    }
  })

  knob('retry_after', () => {
    expect(turn('error=429 retry_after=7').script.headers['retry-after']).toBe('7')
    expect(turn('error=429').script.headers).not.toHaveProperty('retry-after')
  })

  knob('cut', () => {
    const answer = turn('pace=0 cut=3', streamed)
    expect(stepTypes(answer)).toEqual(['head', 'bytes', 'bytes', 'bytes', 'reset'])
    expect(stepTypes(turn('pace=0 cut=0', streamed))).toEqual(['head', 'reset'])
    const plain = turn('pace=0 cut=3')
    expect(stepTypes(plain)).toEqual(['head', 'bytes', 'reset'])
    expect(Number(plain.script.headers['content-length'])).toBeGreaterThan(plain.text.length)
  })

  knob('stall', () => {
    expect(stepTypes(turn('pace=0 stall=1', streamed))).toEqual(['head', 'bytes', 'hang'])
    expect(stepTypes(turn('pace=0 stall=1'))).toEqual(['head', 'bytes', 'hang'])
  })

  knob('error_after', () => {
    const { events, script } = turn('pace=0 error=429 error_after=2', streamed)
    expect(events).toHaveLength(3)
    expect(JSON.parse(events[2]!)).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
    expect(script.steps.at(-1)).toEqual({ type: 'end' })
    expect(turn('error_after=2').script.status).toBe(500)
  })

  knob('hang', () => {
    expect(stepTypes(turn('hang', streamed))).toEqual(['hang'])
  })

  knob('malformed', () => {
    const { events } = turn('malformed', streamed)
    expect(() => JSON.parse(events[2]!) as unknown).toThrow(SyntaxError)
    expect(events.at(-1)).toBe('[DONE]')
    const plain = turn('malformed')
    expect(() => JSON.parse(plain.text) as unknown).toThrow(SyntaxError)
    expect(plain.script.headers['content-length']).toBe(String(plain.text.length))
  })
})

describe('endings', () => {
  knob('no_usage', () => {
    expect(turn('no_usage', streamed).text).not.toContain('prompt_tokens')
    expect(JSON.parse(turn('no_usage').text)).not.toHaveProperty('usage')
    expect(turn('no_usage').script.bill).toMatchObject({ completionTokens: 5, reported: false })
  })

  knob('no_finish', () => {
    const { events, script } = turn('no_finish', streamed)
    expect(events.at(-1)).toContain('" five"')
    expect(script.steps.at(-1)).toEqual({ type: 'end' })
    expect(turn('no_finish').text).toContain('"finish_reason":null')
  })

  knob('no_done', () => {
    expect(turn('no_done', streamed).events.at(-1)).toContain('prompt_tokens')
  })
})

describe('pace', () => {
  knob('delay', () => {
    const waiting = { type: 'delay', delayMs: 2000 }
    expect(turn('delay=2s pace=0').script.steps[0]).toEqual(waiting)
    expect(turn('delay=2000ms', streamed).script.steps[0]).toEqual(waiting)
    expect(turn('delay=2s error=500').script.steps[0]).toEqual(waiting)
  })

  knob('pace', () => {
    expect(turn('pace=0', streamed).delayMs).toBe(0)
    expect(turn('pace=0').delayMs).toBe(0)
    expect(turn('delay=0s pace=5/s').delayMs).toBe(1000)
    const slow = turn('delay=0s pace=5/s', streamed).delayMs
    expect(slow).toBeGreaterThanOrEqual(700)
    expect(slow).toBeLessThanOrEqual(1300)
  })
})

describe('content', () => {
  knob('tokens', () => {
    expect(turn('tokens=500').script.bill).toMatchObject({ completionTokens: 500 })
    expect(turn('tokens=2').text).toContain('"one two"')
    expect(turn('tokens=7').text).toContain('"one two three four five one two"')
    expect(turn('tokens=500', { model: 'lorem' }).text).toContain('"finish_reason":"stop"')
  })

  knob('reasoning', () => {
    const { bill } = turn('reasoning=20').script
    expect(bill).toMatchObject({ completionTokens: 25, reasoningTokens: 20 })
    const message = (answer: PlayedAnswer): unknown =>
      (JSON.parse(answer.text) as { choices: { message: unknown }[] }).choices[0]!.message
    expect(message(turn('reasoning=20'))).toMatchObject({ reasoning_content: expect.stringMatching(/\w/u) })
    const cut = turn('reasoning=20', { max_tokens: 8 })
    expect(cut.script.bill).toMatchObject({ completionTokens: 8, reasoningTokens: 8 })
    expect(message(cut)).toMatchObject({ content: '' })
    expect(turn('reasoning=20', streamed).events[1]).toContain('"delta":{"reasoning_content":"')
  })

  knob('unseen', () => {
    const answer = turn('unseen=20 pace=10/s delay=0s')
    expect(answer.script.bill).toMatchObject({ completionTokens: 25, reasoningTokens: 20 })
    expect(answer.text).not.toContain('reasoning_content')
    expect(answer.delayMs).toBe(2_500)
    expect(turn('unseen=20', { max_tokens: 22 }).text).toContain('"one two"')
  })

  knob('ignore_bound', () => {
    expect(turn('ignore_bound', { max_tokens: 2 }).text).toContain('one two three four five')
    expect(turn('ignore_bound tokens=300', { max_tokens: 2 }).script.bill!.completionTokens).toBe(300)
  })

  knob('usage', () => {
    expect(turn('usage=9e15').text).toContain('"completion_tokens":9000000000000000')
    expect(turn('usage=-5', streamed).text).toContain('"completion_tokens":-5')
    expect(turn('usage=many').script.status).toBe(400)
  })

  knob('cached', () => {
    expect(turn('cached=4').text).toContain('"cached_tokens":4')
    const { bill } = turn('cached=9999').script
    expect(bill!.cachedTokens).toBe(bill!.promptTokens)
  })

  knob('tool', () => {
    expect(turn('tool=get_time', { tools }).text).toMatch(
      /"name":"get_time","arguments":"\{\}".*"tool_calls"/u,
    )
    expect(turn('tool=get_time,get_weather', { tools }).text.match(/call_/gu)).toHaveLength(2)
    expect(turn('tool=other', { tools }).script.status).toBe(400)
    expect(turn('tool=get_time', { tools, tool_choice: 'none' }).text).toContain('one two')
    const messages = [
      { role: 'user', content: 'hi [sandbox: tool=get_time]' },
      { role: 'assistant', content: null },
      { role: 'tool', content: '12:00', tool_call_id: 'call_1' },
    ]
    expect(ask(vendor, { model: 'echo', messages, tools }).text).toContain('"content":"hi"')
  })
})
