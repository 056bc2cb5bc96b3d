import { anthropicMessagesCaller } from '@turnpike/dialects'
import { expect } from 'vitest'
import { anthropicMessage, anthropicStream } from '../vendors/oracle/anthropic.ts'
import { object, text, type Json } from '../vendors/oracle/json.ts'
import type { SaidChoice, SaidUsage } from '../vendors/oracle/said-answer.ts'
import type { CallerUnderTest } from './caller-under-test.ts'

export const anthropicMessages: CallerUnderTest = {
  format: anthropicMessagesCaller,

  address: () => anthropicMessagesCaller.path,

  request: (model, stream) => ({
    model,
    max_tokens: 16_000,
    messages: [{ role: 'user', content: 'Hello' }],
    ...(stream ? { stream } : {}),
  }),

  readStream(body) {
    const events = eventsOf(body)
    const failed = events.filter(({ type }) => type === 'error')
    expect(failed).toEqual(events.slice(events.length - failed.length))
    expect(failed.length).toBeLessThan(2)
    const told = events.slice(0, events.length - failed.length)
    const ended = told.at(-1)?.['type'] === 'message_stop'
    expectGrammar(told, ended)
    return {
      answer: anthropicStream(told),
      ended,
      error: failed.length === 0 ? undefined : text(object(failed[0]!['error'])['message']),
    }
  },

  readWhole: (body) => anthropicMessage(body),

  readError({ type, error }) {
    const message = text(object(error)['message'])
    return type === 'error' && message !== '' ? message : undefined
  },

  expectTold(told, said, { vendor, api }) {
    expect(told.choices).toHaveLength(1)
    const [choice] = said.choices
    const expected = choice ?? {
      text: '',
      refusal: '',
      reasoning: '',
      finish: undefined,
      toolCalls: [],
      proofs: [],
    }
    expect(comparable(told.choices[0]!)).toEqual(comparable(expected))
    const ids = told.choices[0]!.toolCalls.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    if (vendor === 'anthropic' || api === 'messages') expect(told.choices[0]!.proofs).toEqual(expected.proofs)
    if (said.usage === undefined) expect(told.usage).toBeDefined()
    else expect(counts(told.usage)).toEqual(counts(said.usage))
  },
}

/** The format has one choice, and no refusals besides the text or functions besides tools. */
function comparable({ text: said, refusal, reasoning, finish, toolCalls }: SaidChoice): object {
  return {
    text: said + refusal,
    reasoning,
    finish: finish === 'function_call' ? 'tool_calls' : finish,
    toolCalls: toolCalls.map(({ name, arguments: given }) => ({ name, given: asInput(given) })),
  }
}

/** Arguments are an object, or else the unparsable text. */
function asInput(given: unknown): unknown {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
    ? given
    : { INVALID_JSON: given }
}

/** Output tokens include reasoning; only the vendor's own usage separates it. */
function counts(usage: SaidUsage | undefined): object | undefined {
  if (usage === undefined) return undefined
  const { reasoning: _within, ...rest } = usage
  return rest
}

function eventsOf(body: string): Json[] {
  return body
    .split('\n\n')
    .filter((one) => one !== '')
    .map((one) => {
      const data = one.slice(one.indexOf('data: ') + 'data: '.length)
      const event = object(JSON.parse(data))
      if (one.startsWith('event: ')) expect(one.split('\n')[0]).toBe(`event: ${text(event['type'])}`)
      return event
    })
}

/** Checks the order: a start, then numbered blocks one after another, then the end. */
function expectGrammar(events: readonly Json[], ended: boolean): void {
  if (events.length === 0) return
  expect(events[0]).toMatchObject({ type: 'message_start' })
  const blocks = events.filter(({ type }) => text(type).startsWith('content_block_'))
  let next = 0
  let open: unknown
  for (const { type, index } of blocks) {
    if (type === 'content_block_start') {
      expect({ open, index }).toEqual({ open: undefined, index: next })
      open = next++
    } else expect(index).toBe(open)
    if (type === 'content_block_stop') open = undefined
  }
  if (ended) expect(open).toBeUndefined()
  if (ended) expect(events.at(-2)).toMatchObject({ type: 'message_delta' })
}
