import { expect, test } from 'vitest'
import { answerTranscript, requestTranscript, type TranscriptMessage } from './transcript.ts'

/** Each message as `role: text`, with the kinds of parts that are not text. */
const read = (messages: TranscriptMessage[]): string[] =>
  messages.map(({ role, parts }) => {
    const partTexts = parts.map(({ type, text, name, media_type: media, bytes }) =>
      type === 'text'
        ? text
        : [type, name, media, bytes, text].filter((part) => part !== undefined).join(' '),
    )
    return `${role}: ${partTexts.join(' | ')}`
  })

test.each<[string, unknown, string[]]>([
  [
    'chat completions',
    {
      messages: [
        { role: 'system', content: 'S' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'T' },
            { type: 'image_url', image_url: { url: 'https://a/b.png' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'R' },
      ],
    },
    [
      'system: S',
      'user: T | media image https://a/b.png',
      'assistant: tool_call f {}',
      'tool: tool_result R',
    ],
  ],
  [
    'Messages',
    {
      system: [{ type: 'text', text: 'S' }],
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: '[12 bytes of base64 left out]' },
            },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'H', signature: 's' },
            { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'R' }] }],
        },
      ],
    },
    [
      'system: S',
      'user: media image/png 12 ',
      'assistant: reasoning H | tool_call f {"a":1}',
      'user: tool_result R',
    ],
  ],
  [
    'Responses',
    {
      instructions: 'S',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'T' },
            { type: 'input_image', image_url: 'data:image/jpeg;base64,[3 bytes left out]' },
          ],
        },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' },
        { type: 'function_call_output', call_id: 'c', output: 'R' },
      ],
    },
    ['system: S', 'user: T | media image/jpeg 3 ', 'assistant: tool_call f {"a":1}', 'tool: tool_result R'],
  ],
  [
    'generateContent',
    {
      systemInstruction: { parts: [{ text: 'S' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'T' },
            { inlineData: { mimeType: 'image/webp', data: '[9 bytes of base64 left out]' } },
          ],
        },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: { a: 1 } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: { b: 2 } } }] },
      ],
    },
    [
      'system: S',
      'user: T | media image/webp 9 ',
      'model: tool_call f {"a":1}',
      'user: tool_result f {"b":2}',
    ],
  ],
  ['completions', { prompt: ['A', 'B'] }, ['user: A | B']],
  ['embeddings', { input: ['A', 'B'] }, ['user: A', 'user: B']],
  ['rankings', { query: 'Q', documents: ['A', { text: 'B' }] }, ['user: Q', 'document: A', 'document: B']],
  ['a text', 'no JSON', ['user: no JSON']],
  [
    'an unknown format',
    { messages: 7, input: null, contents: [[1]], system: { a: 1 } },
    ['system: other {"a":1}'],
  ],
  ['nothing', null, []],
])('a request of %s is read', (_name, body, expected) => {
  expect(read(requestTranscript(body))).toEqual(expected)
})

test.each<[string, unknown, string[]]>([
  [
    'chat completions',
    {
      choices: [{ message: { role: 'assistant', content: 'A', reasoning_content: 'H' } }],
      error: { message: 'E' },
    },
    ['assistant: reasoning H | A', 'error: E'],
  ],
  ['Messages', { role: 'assistant', content: [{ type: 'text', text: 'A' }] }, ['assistant: A']],
  [
    'Responses',
    {
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'H' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A' }] },
      ],
    },
    ['assistant: reasoning H', 'assistant: A'],
  ],
  [
    'generateContent',
    { candidates: [{ content: { role: 'model', parts: [{ text: 'H', thought: true }, { text: 'A' }] } }] },
    ['model: reasoning H | A'],
  ],
  ['completions', { choices: [{ text: 'A' }] }, ['assistant: A']],
  ['Anthropic’s errors', { type: 'error', error: { type: 'x', message: 'E' } }, ['error: E']],
  ['embeddings', { data: [{ embedding: '[64 numbers left out]' }] }, []],
])('an answer of %s is read', (_name, body, expected) => {
  expect(read(answerTranscript(body))).toEqual(expected)
})
