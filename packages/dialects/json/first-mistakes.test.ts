import { Validator } from 'typebox/schema'
import { expect, test, vi } from 'vitest'
import { parseRequest } from '../openai-chat/caller/request.ts'

const many = 100_000
/** How many values may be explained at most. Explaining one takes a hundred times as long as checking it. */
const fewExplained = 1_000
const message = { role: 'user', content: 'x' }

function list(element: unknown, last?: unknown): unknown[] {
  const elements: unknown[] = Array.from({ length: many }, () => element)
  return last === undefined ? elements : [...elements, last]
}

function paramOf(body: object): string | null | undefined {
  try {
    parseRequest({ model: 'a', messages: [message], ...body })
    return null
  } catch (error) {
    return (error as { param?: string }).param
  }
}

const part = { type: 'text', text: 'x' }

test.each<[string, object, string]>([
  ['of too many messages', { messages: list(message) }, 'messages'],
  ['of too many models', { models: list('a') }, 'models'],
  ['the last of many tags', { metadata: { tags: list('a', 1) } }, `metadata.tags[${many}]`],
  [
    'the last part of many, in the second message',
    { messages: [message, { role: 'user', content: list(part, { type: 1 }) }] },
    `messages[1].content[${many}].type`,
  ],
  [
    'a part of the last message of many',
    { messages: [...list(message).slice(0, 5_000), { role: 'user', content: list(part, { text: 'x' }) }] },
    `messages[5000].content[${many}].type`,
  ],
  [
    'a tool behind many',
    { tools: list({ type: 'a' }, { type: 'a', function: 1 }) },
    `tools[${many}].function`,
  ],
  [
    'a number beside many parts',
    { messages: [{ role: 'user', content: list(part) }], temperature: 'hot' },
    'temperature',
  ],
])('names the mistake and explains only the part at fault: %s', (_what, body, param) => {
  const explained = vi.spyOn(Validator.prototype, 'Errors')
  expect(paramOf(body)).toBe(param)
  const values = explained.mock.calls.map(([value]) => countValues(value))
  explained.mockRestore()
  expect(values).toHaveLength(1)
  expect(values[0]).toBeLessThan(fewExplained)
})

/** Counts the value itself and everything within it. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, member) => sum + countValues(member), 1)
}
