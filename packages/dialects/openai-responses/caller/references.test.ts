import { expect, it } from 'vitest'
import { referencesIn } from '../../requests/references.ts'
import { responsesReferences } from './references.ts'

const found = (body: object): string[] => {
  const { references } = referencesIn(body, responsesReferences)
  return references.map(({ param, value }) => `${param} = ${value}`)
}

const inputWith = (part: object): object => ({ input: [{ role: 'user', content: [part] }] })

const at = 'input[0].content[0]'

it.each<[string, object, string]>([
  ['a file', inputWith({ type: 'input_file', file_id: 'file_1' }), `${at}.file_id = file_1`],
  ['a picture by its id', inputWith({ type: 'input_image', file_id: 'file_1' }), `${at}.file_id = file_1`],
  [
    'a file beside the server',
    inputWith({ type: 'input_file', file_url: 'file:///etc/passwd' }),
    `${at}.file_url = file:///etc/passwd`,
  ],
  [
    'a bucket',
    inputWith({ type: 'input_image', image_url: 'gs://bucket/x' }),
    `${at}.image_url = gs://bucket/x`,
  ],
  [
    'what a tool gave',
    { input: [{ output: [{ type: 'input_file', file_id: 'file_1' }] }] },
    'input[0].output[0].file_id = file_1',
  ],
  ['an earlier answer', { previous_response_id: 'resp_1' }, 'previous_response_id = resp_1'],
  ['a conversation', { conversation: 'conv_1' }, 'conversation = conv_1'],
  ['a kept prompt', { prompt: { id: 'pmpt_1' } }, 'prompt = pmpt_1'],
  [
    'a search index',
    { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
    'tools[0].vector_store_ids[0] = vs_1',
  ],
  [
    'a container',
    { tools: [{ type: 'code_interpreter', container: 'cntr_1' }] },
    'tools[0].container = cntr_1',
  ],
  [
    'a container of a tool in the input',
    { input: [{ type: 'additional_tools', tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }] },
    'input[0].tools[0].container = cntr_1',
  ],
  ['a file in instructions', { instructions: 'fileid://file-1' }, 'instructions = fileid://file-1'],
  [
    'a file in a system message',
    { input: [{ role: 'developer', content: 'x fileid://file-1' }] },
    'input[0].content = fileid://file-1',
  ],
  [
    'a file in a part of one',
    { input: [{ role: 'system', content: [{ type: 'input_text', text: 'fileid://file-1' }] }] },
    'input[0].content[0] = fileid://file-1',
  ],
])('finds %s', (_what, body, reference) => {
  expect(found(body)).toEqual([reference])
})

it("finds none in the caller's own messages, calls and data", () => {
  expect(
    found({
      input: [
        { role: 'user', id: 'msg_1', content: 'see file:///etc/passwd' },
        { type: 'function_call', call_id: 'c', name: 'f', namespace: 'a:b', arguments: 'file:///x' },
        { type: 'function_call_output', call_id: 'c', output: 'file:///x' },
        { type: 'custom_tool_call', call_id: 'd', name: 'f', input: 'cat file:///x' },
        { type: 'tool_search_call', call_id: 'e', arguments: { file_id: 'x' } },
        {
          type: 'tool_search_output',
          call_id: 'e',
          tools: [
            { type: 'custom', name: 'f', format: { syntax: 'lark', definition: 'files/x' } },
            { type: 'namespace', tools: [{ type: 'function', parameters: { file_id: { const: 'x' } } }] },
          ],
        },
        {
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: 'gs://x' }],
          encrypted_content: 'files/x',
        },
        { role: 'assistant', content: [{ type: 'output_text', text: 'x', annotations: [{ file_id: 'f' }] }] },
      ],
      instructions: 'gs://x',
      tools: [
        {
          type: 'function',
          name: 'f',
          parameters: { properties: { file_id: { type: 'string', default: 'x' } } },
        },
      ],
      text: {
        format: { type: 'json_schema', name: 'x', schema: { properties: { container: { const: 'x' } } } },
      },
      metadata: { conversation_id: 'x', file_id: 'x' },
      client_metadata: { thread_id: 'x' },
      prompt_cache_key: 'thread:1',
      user: 'x',
    }),
  ).toEqual([])
})
