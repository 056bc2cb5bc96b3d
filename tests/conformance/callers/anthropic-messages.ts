import { anthropicMessagesCaller } from '@turnpike/dialects'
import { expect } from 'vitest'
import { anthropicMessage, anthropicStream } from '../vendors/oracle/anthropic.ts'
import { object, text, type Json } from '../vendors/oracle/json.ts'
import type { SaidUsage } from '../vendors/oracle/said-answer.ts'
import type { CallerUnderTest } from './caller-under-test.ts'
import { expectFirstChoice, splitError, withoutRefusal } from './told-choices.ts'

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
    const [told, error] = splitError(events, ({ type }) => type === 'error')
    const ended = told.at(-1)?.['type'] === 'message_stop'
    expectGrammar(told, ended)
    return {
      answer: anthropicStream(told),
      ended,
      error,
    }
  },

  readWhole: (body) => anthropicMessage(body),

  readError({ type, error }) {
    const message = text(object(error)['message'])
    return type === 'error' && message !== '' ? message : undefined
  },

  expectTold(told, said, recorded) {
    expect(told.choices).toHaveLength(1)
    expectFirstChoice(told, said, recorded, withoutRefusal, counts)
  },
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
