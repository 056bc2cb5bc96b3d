import { GatewayError } from '@turnpike/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdsForAll } from '../testing/holds-for-all.ts'
import { generateFormats } from '../registry.ts'
import { refuseUnsupported } from '../requests/fields/generate-field-rules.ts'
import { targetOf } from '../testing/target.ts'
import { fieldPath } from './caller/field-path.ts'
import { parseRequest } from './caller/request.ts'
import { anyRequest, commonRequest } from './testing/any-request.ts'

/** As Claude Code sends it in the middle of a task. */
const agentBody = {
  model: 'claude-sonnet-5',
  max_tokens: 32_000,
  stream: true,
  system: [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.197;' },
    { type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ],
  thinking: { type: 'adaptive', display: 'omitted' },
  output_config: { effort: 'max' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  metadata: { user_id: '{"device_id":"x","session_id":"y"}' },
  tools: [
    {
      name: 'Read',
      description: 'Reads a file.',
      input_schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { file_path: { type: 'string' } },
        required: ['file_path'],
        additionalProperties: false,
      },
      eager_input_streaming: true,
    },
  ],
  tool_choice: { type: 'auto' },
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Read a.ts' }] },
    { role: 'system', content: 'The user opened a.ts.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'I read it.', signature: 'c2ln' },
        { type: 'text', text: 'I read it.' },
        { type: 'tool_use', id: 'toolu_01', name: 'Read', input: { file_path: 'a.ts' } },
        { type: 'tool_use', id: 'toolu_02', name: 'Read', input: { file_path: 'b.ts' } },
        { type: 'tool_use', id: 'toolu_03', name: 'ToolSearch', input: { query: 'select:WebFetch' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_01', content: 'export {}' },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_02',
          content: [{ type: 'text', text: 'No such file' }],
          is_error: true,
          cache_control: { type: 'ephemeral' },
        },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_03',
          content: [{ type: 'tool_reference', tool_name: 'WebFetch' }],
        },
        { type: 'text', text: 'Go on.' },
      ],
    },
  ],
}

/** Formats that continue a text and have no conversations. */
const textual: ReadonlySet<string> = new Set(['openai-completions', 'mistral-fim'])

const conversing = Object.values(generateFormats).filter(({ name }) => !textual.has(name))

describe.each(conversing)('a request of Messages to $name', (vendorFormat) => {
  const format = (body: object): unknown => {
    const { request } = parseRequest(body)
    refuseUnsupported(request, vendorFormat.operations.generate.fields, 'a/m')
    const target = targetOf(vendorFormat.name, 'm')
    return vendorFormat.operations.generate.formatRequest(request, target)
  }

  const isOwn = (vendorFormat.passes ?? vendorFormat.name) === 'anthropic-messages'
  it.runIf(!isOwn)('contains everything that the agent sent', () => {
    const text = JSON.stringify(format(agentBody))
    for (const expected of [
      'You are an agent.',
      'The user opened a.ts.',
      'export {}',
      'the tool WebFetch',
      'Go on.',
    ])
      expect(text).toContain(expected)
    for (const own of [
      'billing',
      'context_management',
      'eager_input_streaming',
      'extensions',
      '"format"',
      'blockOf',
    ])
      expect(text).not.toContain(own)
  })

  holdsForAll(
    'is formatted, or refused by a field of its own',
    [fc.oneof(anyRequest, commonRequest, commonRequest)],
    (anyBody) => {
      const body = JSON.parse(JSON.stringify(anyBody)) as object
      try {
        format(body)
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
        expect(error.status).toBe(400)
        const path = fieldPath(error.param ?? '', body)
        expect(valueAt(body, path), `${error.message} at ${path}`).toBeDefined()
      }
    },
  )
})

function valueAt(body: object, path: string): unknown {
  let value: unknown = body
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name]
  return value
}
