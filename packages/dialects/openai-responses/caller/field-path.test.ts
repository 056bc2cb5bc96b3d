import { describe, expect, it } from 'vitest'
import { holdsForAll } from '../../testing/holds-for-all.ts'
import { visitRequest } from '../../requests/fields/requested-fields.ts'
import { anyRequest } from '../testing/any-request.ts'
import { fieldPath } from './field-path.ts'
import { parseRequest } from './request.ts'

const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }

/** Parsed as: system, user, assistant, tool, user. */
const body = {
  model: 'm',
  instructions: 'x',
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'x' },
        { type: 'input_image', image_url: 'https://a.test/x' },
        { type: 'input_file', file_id: 'file_1' },
      ],
    },
    { type: 'reasoning', summary: [] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] },
    call,
    { ...call, call_id: 'd' },
    {
      type: 'function_call_output',
      call_id: 'c',
      output: [{ type: 'input_image', image_url: 'https://a.test/y' }],
    },
    { role: 'user', content: 'x' },
  ],
  tools: [
    { type: 'web_search' },
    { type: 'function', name: 'f', parameters: {} },
    { type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'g', parameters: {} }] },
  ],
}

describe("the caller's path of a field", () => {
  it.each([
    ['messages', 'messages'],
    ['messages[0].role', 'instructions'],
    ['messages[0].content[0].text', 'instructions'],
    ['messages[1].role', 'input[0]'],
    ['messages[1].content', 'input[0].content'],
    ['messages[1].content[0].text', 'input[0].content[0].text'],
    ['messages[1].content[1].image_url', 'input[0].content[1].image_url'],
    ['messages[1].content[1].image_url.url', 'input[0].content[1].image_url'],
    ['messages[1].content[1].image_url.detail', 'input[0].content[1].detail'],
    ['messages[1].content[2].file', 'input[0].content[2]'],
    ['messages[1].content[2].file.file_id', 'input[0].content[2].file_id'],
    ['messages[1].content[9]', 'input[0].content'],
    ['messages[2].reasoning_details', 'input[1]'],
    ['messages[2].content[0].text', 'input[2].content[0].text'],
    ['messages[2].tool_calls[0].function.arguments', 'input[3].arguments'],
    ['messages[2].tool_calls[1]', 'input[4]'],
    ['messages[3].tool_call_id', 'input[5].call_id'],
    ['messages[3].content[0].image_url.url', 'input[5].output[0].image_url'],
    ['messages[3].content', 'input[5].output'],
    ['messages[4].content[0].text', 'input[6].content'],
    ['messages[9].content', 'input'],
    ['tools[0]', 'tools[0]'],
    ['tools[1].function.strict', 'tools[1].strict'],
    ['tools[2].function.parameters', 'tools[2].tools[0].parameters'],
    ['max_completion_tokens', 'max_output_tokens'],
    ['response_format.json_schema', 'text.format'],
    ['response_format.json_schema.strict', 'text.format.strict'],
    ['response_format.json_schema.schema.properties', 'text.format.schema.properties'],
    ['reasoning_effort', 'reasoning.effort'],
    ['verbosity', 'text.verbosity'],
    ['constructor', 'constructor'],
    ['tool_choice', 'tool_choice'],
    ['temperature', 'temperature'],
    ['input[0].content[2].file_id', 'input[0].content[2].file_id'],
  ])('is, for %s, %s', (ours, callers) => {
    expect(fieldPath(ours, body)).toBe(callers)
  })

  holdsForAll('exists in the body, for every field of every request', [anyRequest], (any) => {
    const { request } = parseRequest(any)
    visitRequest(request, (_field, path) => {
      const callerPath = fieldPath(path(), any)
      if (!callerPath.startsWith('input') && !callerPath.startsWith('tools')) return
      const holder = callerPath.replace(/\.[a-z_]+$/, '')
      expect(valueAt(any, holder), callerPath).toBeDefined()
    })
  })
})

function valueAt(holder: unknown, path: string): unknown {
  let value = holder
  for (const name of path.split(/[.[\]]+/).filter((one) => one !== ''))
    value = (value as Record<string, unknown> | undefined)?.[name]
  return value
}
