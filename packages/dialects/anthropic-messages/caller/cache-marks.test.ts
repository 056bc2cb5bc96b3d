import { GatewayError } from '@turnpike/protocol'
import { expect, it } from 'vitest'
import { parseRequest } from './request.ts'

const short = { cache_control: { type: 'ephemeral' } }
const long = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const text = (mark: object): object => ({ type: 'text', text: 'x', ...mark })
const tool = (name: string, mark: object): object => ({ name, input_schema: { type: 'object' }, ...mark })
const user = (...content: object[]): object => ({ messages: [{ role: 'user', content }] })

function refusalOf(fields: object): GatewayError | undefined {
  try {
    parseRequest({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }], ...fields })
    return undefined
  } catch (error) {
    return error as GatewayError
  }
}

const outlasts =
  "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. " +
  'Note that blocks are processed in the following order: `tools`, `system`, `messages`.'

it.each<[string, object, string, string]>([
  [
    'a fifth one',
    {
      tools: [tool('a', short)],
      system: [text(short)],
      ...user(text(short), text(short), text(short), text(short)),
    },
    'messages.0.content.2.cache_control',
    'A maximum of 4 blocks with cache_control may be provided. Found 6.',
  ],
  [
    'one that outlasts an earlier one',
    user(text(short), text(long)),
    'messages.0.content.1.cache_control.ttl',
    `messages.0.content.1.cache_control.ttl: ${outlasts}`,
  ],
  [
    'one of the instructions that outlasts one of a tool',
    { system: [text(long)], tools: [tool('a', short)] },
    'system.0.cache_control.ttl',
    `system.0.cache_control.ttl: ${outlasts}`,
  ],
  [
    'one on a thought',
    {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 's', ...short }] },
      ],
    },
    'messages.1.content.0.cache_control',
    'messages.1.content.0.cache_control: Extra inputs are not permitted',
  ],
])('refuses %s', (_what, fields, path, message) => {
  const refusal = refusalOf(fields)
  expect(refusal).toBeInstanceOf(GatewayError)
  expect([refusal!.status, refusal!.param, refusal!.message]).toEqual([400, path, message])
})

it.each<[string, object]>([
  ['four', { system: [text(long), text(long)], ...user(text(short), text(short)) }],
  ['marks of nothing', user(...Array<object>(9).fill(text({ cache_control: null })))],
])('takes %s', (_what, fields) => {
  expect(refusalOf(fields)).toBeUndefined()
})
