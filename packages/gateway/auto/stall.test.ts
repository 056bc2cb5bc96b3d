import type { Message, ModelRequest } from '@turnpike/protocol'
import { expect, it } from 'vitest'
import { isStalled } from './stall.ts'

const user: Message = { role: 'user', content: [{ kind: 'text', text: 'fix the build' }] }
let calls = 0

/** A tool call and its result. */
function tried(name: string, input: string, result: string, failed = false): Message[] {
  const id = `call_${calls++}`
  return [
    {
      role: 'assistant',
      content: [{ kind: 'tool-call', id, name, arguments: input, variant: 'function' }],
    },
    { role: 'tool', toolCallId: id, failed, content: [{ kind: 'text', text: result }] },
  ]
}

const stalled = (...turns: Message[][]): boolean =>
  isStalled({ messages: [user, ...turns.flat()] } as unknown as ModelRequest)
const build = (result = 'error: no such file'): Message[] => tried('run', '{"command":"make"}', result)

it.each<[string, boolean, Message[][]]>([
  ['the same call failed three times', true, [build(), build(), build()]],
  ['it failed by the flag alone', true, [1, 2, 3].map(() => tried('run', '{}', 'code 2', true))],
  ['it failed twice', false, [build(), build()]],
  ['it failed in another way meanwhile', false, [build(), build('error: disk full'), build()]],
  ['something else was tried in between', false, [build(), build(), tried('read', '{}', 'error'), build()]],
  ['the last one went well', false, [build(), build(), build(), build('done')]],
  ['the same answer is no failure', false, [build('ok'), build('ok'), build('ok')]],
  ['the user has spoken since', false, [build(), build(), build(), [user]]],
  ['a call is not answered', false, [build(), build(), build().slice(0, 1)]],
  ['nothing was called', false, []],
])('%s: %s', (_, expected, turns) => {
  expect(stalled(...turns)).toBe(expected)
})
