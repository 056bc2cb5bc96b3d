import { expect, it } from 'vitest'
import { ownMessages } from './own-messages.ts'

const rewrite = (messages: unknown, reasoning = false, developer = false): unknown => {
  const text = ownMessages(Buffer.from(JSON.stringify(messages)), { calls: true, reasoning, developer })
  return text === undefined ? undefined : JSON.parse(text)
}

it('leaves a conversation alone that no other vendor took part in', () => {
  const messages = [{ role: 'user', content: 'What is "reasoning_content"?' }]
  expect(rewrite(messages)).toBeUndefined()
  expect(rewrite([{ role: 'assistant', content: 'x', reasoning_content: 'y' }])).toBeUndefined()
})

it('removes thoughts from the ids of calls and results, and from nothing else', () => {
  const long = 'call_r_0_0__thought_QUJD'
  expect(
    rewrite([
      { role: 'user', content: `why ${long}?` },
      { role: 'assistant', content: null, tool_calls: [{ id: long, type: 'function' }, { id: 'call_2' }] },
      { role: 'tool', tool_call_id: long, content: '1' },
    ]),
  ).toEqual([
    { role: 'user', content: `why ${long}?` },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_r_0_0', type: 'function' }, { id: 'call_2' }],
    },
    { role: 'tool', tool_call_id: 'call_r_0_0', content: '1' },
  ])
})

it('removes reasoning if the vendor rejects it, and keeps the rest unchanged', () => {
  const messages = [
    { role: 'user', content: 'é "reasoning"' },
    {
      role: 'assistant',
      content: 'x',
      reasoning_content: 'y',
      reasoning: 'y',
      reasoning_details: [{}],
      name: 'n',
    },
  ]
  expect(rewrite(messages, true)).toEqual([messages[0], { role: 'assistant', content: 'x', name: 'n' }])
})

it("sends OpenAI's developer role as system if the vendor rejects it, and unchanged elsewhere", () => {
  const messages = [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: 'a "developer"' },
  ]
  expect(rewrite(messages)).toBeUndefined()
  expect(rewrite(messages, false, true)).toEqual([{ role: 'system', content: 'Be brief.' }, messages[1]])
})
