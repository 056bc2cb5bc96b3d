import { expect, test } from 'vitest'
import { parseRequest } from '../openai-chat/caller/request.ts'

const many = 100_000
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
])('a mistake is named within a moment: %s', (_what, body, param) => {
  paramOf({ temperature: 'what is compiled once, is' })
  const startedAtMs = performance.now()
  expect(paramOf(body)).toBe(param)
  // To explain all of them took a second and more.
  expect(performance.now() - startedAtMs).toBeLessThan(400)
})
