import { describe, expect, it } from 'vitest'
import { parseRequest } from './request.ts'

type Referred = ReturnType<typeof parseRequest>['referred']

function referred(fields: object): Referred {
  const messages = [{ role: 'user', content: 'hi' }]
  return parseRequest({ model: 'm', max_tokens: 5, messages, ...fields }).referred
}

const user = (...content: object[]): object => ({ messages: [{ role: 'user', content }] })
const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }
const result = { type: 'tool_result', tool_use_id: 'toolu_1' }
const called = (held: object): object => ({
  messages: [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: [call] },
    { role: 'user', content: [{ ...result, content: [held] }] },
  ],
})
const image = (source: object): object => user({ type: 'image', source })
const at = 'messages.0.content.0'
const file = { type: 'file', file_id: 'file_1' }
const page = { type: 'url', url: 'https://a.test/x' }

describe('what a request refers to but does not contain', () => {
  it.each<[string, object, string, string]>([
    ['an image', image(file), `${at}.source.file_id`, 'file_1'],
    [
      'within a result',
      called({ type: 'document', source: file }),
      'messages.2.content.0.content.0.source.file_id',
      'file_1',
    ],
    ['for a container', user({ type: 'container_upload', file_id: 'f' }), `${at}.file_id`, 'f'],
    ['a container', { container: 'container_1' }, 'container', 'container_1'],
    ['one with settings', { container: { id: 'container_1' } }, 'container', 'container_1'],
    [
      'a skill',
      { container: { skills: [{ type: 'custom', skill_id: 'skill_1' }] } },
      'container.skills.0.skill_id',
      'skill_1',
    ],
    ['a person', { user_profile_id: 'profile_1' }, 'user_profile_id', 'profile_1'],
    ['an object of a bucket', image({ type: 's3', bucket: 'b', key: 'k' }), `${at}.source.bucket`, 'b'],
    ['a bucket', image({ ...page, url: 'gs://b/o' }), `${at}.source.url`, 'gs://b/o'],
  ])('%s', (_what, fields, param, value) => {
    expect(referred(fields)).toEqual({ references: [{ param, value }], addresses: [] })
  })

  it('is found beside a type that cannot be converted to a string', () => {
    const { references } = referred({ x: { type: { toString: 1, valueOf: 1 }, url: 'gs://b/o' } })
    expect(references.map(({ param }) => param)).toEqual(['x.url'])
  })

  it('includes a skill and its container', () => {
    const container = { id: 'container_1', skills: [{ type: 'custom', skill_id: 'skill_1' }] }
    expect(referred({ container }).references.map(({ value }) => value)).toEqual(['container_1', 'skill_1'])
  })

  it.each<[string, object, string]>([
    ['an image', image(page), `${at}.source.url`],
    ['a server', { mcp_servers: [{ type: 'url', name: 'x', url: page.url }] }, 'mcp_servers.0.url'],
  ])('is listed as an address: %s', (_what, fields, param) => {
    expect(referred(fields)).toEqual({ references: [], addresses: [{ param, value: page.url }] })
  })

  const webAddress = 'https://a.test/x'

  it.each<[string, object]>([
    ['a text', { system: webAddress, ...user({ type: 'text', text: 'gs://b/o' }) }],
    [
      'the text of a document',
      user({
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'files/x' },
        context: webAddress,
      }),
    ],
    [
      'a conversation with tools',
      {
        messages: [
          { role: 'user', content: 'x' },
          {
            role: 'assistant',
            content: [
              { type: 'redacted_thinking', data: 'files/x' },
              {
                ...call,
                input: { file_path: '/etc/x', file_id: 'f', url: webAddress },
                caller: { tool_id: 's' },
              },
              { type: 'server_tool_use', id: 's', name: 'web_fetch', input: { url: webAddress } },
              {
                type: 'web_search_tool_result',
                tool_use_id: 's',
                content: [{ type: 'web_search_result', url: 'http://10.0.0.1', title: 'x' }],
              },
              { type: 'text', text: 'x', citations: [{ url: 'http://10.0.0.1', file_id: 'f' }] },
            ],
          },
          { role: 'user', content: [{ ...result, content: webAddress }] },
        ],
      },
    ],
    [
      'schemas',
      {
        tools: [
          {
            name: 'f',
            input_schema: {
              type: 'object',
              properties: { container: { default: 'x' }, x_id: { const: 'a' } },
            },
            input_examples: [{ file_id: 'f' }],
          },
        ],
        output_config: {
          format: { type: 'json_schema', schema: { properties: { file_id: { const: 'f' } } } },
        },
      },
    ],
    ['what a caller keeps for itself', { metadata: { user_id: webAddress }, stop_sequences: [webAddress] }],
    ['a skill of everybody', { container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] } }],
  ])('is not %s', (_what, fields) => {
    expect(referred(fields)).toEqual({ references: [], addresses: [] })
  })
})
