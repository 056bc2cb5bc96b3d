import { invalidRequest } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { holdsForAll } from '../../testing/holds-for-all.ts'
import { visitRequest } from '../../requests/fields/requested-fields.ts'
import { anyRequest } from '../testing/any-request.ts'
import { fieldPath, toDottedPath } from './field-path.ts'
import { parseRequest } from './request.ts'

const text = { type: 'text', text: 'x' }
const image = { type: 'image', source: { type: 'url', url: 'https://a.test/x' } }
const file = { type: 'document', source: { type: 'file', file_id: 'file_1' }, title: 'x' }
const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }
const result = { type: 'tool_result', tool_use_id: 'toolu_1' }

/** Parsed as: system, user, assistant, tool, tool, user, system, user. */
const body = {
  system: [{ type: 'text', text: 'x-anthropic-billing-header: x' }, text],
  messages: [
    { role: 'user', content: [text, image, file] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'x', signature: 'x' },
        text,
        { type: 'server_tool_use', id: 's', name: 'x', input: {} },
        call,
        { ...call, id: 'toolu_2' },
      ],
    },
    {
      role: 'user',
      content: [
        text,
        { ...result, content: [text, image] },
        { ...result, tool_use_id: 'toolu_2', content: 'x' },
        image,
      ],
    },
    { role: 'system', content: 'x' },
    { role: 'user', content: 'x' },
  ],
}

describe("the caller's path of a field", () => {
  it.each([
    ['messages', 'messages'],
    ['messages[0]', 'system'],
    ['messages[0].role', 'system'],
    ['messages[0].content[0].text', 'system.1.text'],
    ['messages[1].role', 'messages.0.role'],
    ['messages[1].content', 'messages.0.content'],
    ['messages[1].content[1].image_url', 'messages.0.content.1'],
    ['messages[1].content[1].image_url.url', 'messages.0.content.1.source'],
    ['messages[1].content[1].image_url.file_id', 'messages.0.content.1.source.file_id'],
    ['messages[1].content[1].image_url.detail', 'messages.0.content.1'],
    ['messages[1].content[2].file', 'messages.0.content.2'],
    ['messages[1].content[2].file.file_id', 'messages.0.content.2.source.file_id'],
    ['messages[1].content[2].file.file_data', 'messages.0.content.2.source'],
    ['messages[1].content[2].file.filename', 'messages.0.content.2.title'],
    ['messages[1].content[2].citations', 'messages.0.content.2.citations'],
    ['messages[1].content[2].cache_control', 'messages.0.content.2.cache_control'],
    ['messages[1].content[9]', 'messages.0.content'],
    ['messages[2]', 'messages.1'],
    ['messages[2].reasoning_details', 'messages.1.content.0'],
    ['messages[2].reasoning_content', 'messages.1.content.0'],
    ['messages[2].content[0]', 'messages.1.content.1'],
    ['messages[2].content[1]', 'messages.1.content.2'],
    ['messages[2].tool_calls[1]', 'messages.1.content.4'],
    ['messages[2].tool_calls[0].id', 'messages.1.content.3.id'],
    ['messages[2].tool_calls[0].cache_control', 'messages.1.content.3.cache_control'],
    ['messages[2].tool_calls[0].function.name', 'messages.1.content.3.name'],
    ['messages[2].tool_calls[0].function.arguments', 'messages.1.content.3.input'],
    ['messages[3].role', 'messages.2.content.1'],
    ['messages[3].tool_call_id', 'messages.2.content.1.tool_use_id'],
    ['messages[3].is_error', 'messages.2.content.1.is_error'],
    ['messages[3].content[1].image_url', 'messages.2.content.1.content.1'],
    ['messages[4].content[0].text', 'messages.2.content.2.content'],
    ['messages[5].content[1].image_url.url', 'messages.2.content.3.source'],
    ['messages[6].role', 'messages.3.role'],
    ['messages[7].content[0].text', 'messages.4.content'],
    ['messages[8]', 'messages'],
    ['tools', 'tools'],
    ['tools[2]', 'tools.2'],
    ['tools[2].function', 'tools.2'],
    ['tools[2].function.name', 'tools.2.name'],
    ['tools[2].function.parameters', 'tools.2.input_schema'],
    ['tools[2].function.parameters.properties.x', 'tools.2.input_schema.properties.x'],
    ['tools[2].function.strict', 'tools.2.strict'],
    ['tools[2].cache_control', 'tools.2.cache_control'],
    ['tool_choice', 'tool_choice'],
    ['tool_choice.function.name', 'tool_choice.name'],
    ['parallel_tool_calls', 'tool_choice.disable_parallel_tool_use'],
    ['max_completion_tokens', 'max_tokens'],
    ['max_tokens', 'max_tokens'],
    ['stop', 'stop_sequences'],
    ['stop[1]', 'stop_sequences.1'],
    ['user', 'metadata.user_id'],
    ['reasoning_effort', 'thinking'],
    ['reasoning.effort', 'thinking'],
    ['reasoning.max_tokens', 'thinking.budget_tokens'],
    ['reasoning.exclude', 'thinking.display'],
    ['response_format', 'output_format'],
    ['response_format.json_schema.schema', 'output_format.schema'],
    ['temperature', 'temperature'],
    ['top_k', 'top_k'],
    ['mcp_servers[0].url', 'mcp_servers.0.url'],
    // Our own errors about the request already have the caller's path.
    ['messages.2.content.1.tool_use_id', 'messages.2.content.1.tool_use_id'],
    ['system.1.text', 'system.1.text'],
    ['tools.0.input_schema', 'tools.0.input_schema'],
  ])('is, for %s, %s', (param, path) => {
    expect(fieldPath(param, body)).toBe(path)
  })

  it('is written with dots', () => {
    expect(toDottedPath('messages[0].content[1].Text')).toBe('messages.0.content.1.Text')
  })

  it('of an effort and a format is where the caller wrote them', () => {
    const request = { ...body, output_config: { effort: 'high', format: {} } }
    expect(fieldPath('reasoning_effort', request)).toBe('output_config.effort')
    expect(fieldPath('response_format.json_schema', request)).toBe('output_config.format')
  })

  holdsForAll('exists in the body, for each field of any request', [anyRequest], (anyBody) => {
    const { request } = parseRequest(anyBody)
    visitRequest(request, (_field, pathOf) => {
      const path = fieldPath(pathOf(), anyBody)
      expect(valueAt(anyBody, path), `${pathOf()} as ${path}`).toBeDefined()
    })
  })
})

function valueAt(body: object, path: string): unknown {
  let value: unknown = body
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) throw invalidRequest(path, `nothing holds ${name}`)
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
