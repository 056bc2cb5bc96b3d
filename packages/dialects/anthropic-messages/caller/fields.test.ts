import { expect, it } from 'vitest'
import { findsSecondReadings, secondReading } from '../../testing/second-readings.ts'
import { anyRequest } from '../testing/any-request.ts'
import { messagesNames } from './fields.ts'

const call = { type: 'tool_use', id: 'x', name: 'f', input: { Type: 1, type: 2, TEXT: [{ Role: 3 }] } }
const schema = { type: 'object', properties: { Name: { Type: 'string' } } }

findsSecondReadings(
  messagesNames,
  [
    ['a second bound', '{"max_tokens":5,"Max_Tokens":6}', 'Max_Tokens'],
    [
      'when a conversation is made shorter',
      '{"context_management":{"edits":[{"trigger":{"value":1,"value":9}}]}}',
      'context_management.edits[0].trigger.value',
    ],
    ['a role', '{"messages":[{"role":"user","Role":"x"}]}', 'messages[0].Role'],
    ['a block', '{"messages":[{"content":[{"type":"text","texT":"x"}]}]}', 'messages[0].content[0].texT'],
    [
      'a source',
      '{"messages":[{"content":[{"source":{"type":"url","url":"a","url":"b"}}]}]}',
      'messages[0].content[0].source.url',
    ],
    [
      'a block within a result',
      '{"messages":[{"content":[{"content":[{"source":{"fileId":"x"}}]}]}]}',
      'messages[0].content[0].content[0].source.fileId',
    ],
    ['instructions', '{"system":[{"Text":"x"}]}', 'system[0].Text'],
    ['a tool', '{"tools":[{"name":"a","Name":"b"}]}', 'tools[0].Name'],
    ['a budget', '{"thinking":{"budgetTokens":1}}', 'thinking.budgetTokens'],
  ],
  anyRequest,
)

it("does not search the caller's own data", () => {
  const body = { messages: [{ role: 'user', content: [call] }], tools: [{ name: 'f', input_schema: schema }] }
  expect(secondReading(messagesNames, JSON.stringify(body))).toBeUndefined()
})
