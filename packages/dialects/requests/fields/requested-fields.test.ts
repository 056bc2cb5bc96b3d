import { describe, expect, it } from 'vitest'
import { parseRequest } from '../../openai-chat/caller/request.ts'
import { passed, refused, requestFields, type FieldTable, type RequestField } from './field-table.ts'
import { refuseUnsupported } from './generate-field-rules.ts'
import { visitRequest } from './requested-fields.ts'

const everything = Object.fromEntries(requestFields.map((field) => [field, passed()])) as FieldTable

function without(...fields: RequestField[]): FieldTable {
  return {
    ...everything,
    ...Object.fromEntries(fields.map((field) => [field, refused('it does not support this')])),
  }
}

const hello = [{ role: 'user', content: 'hi' }]

function visitedFields(body: object): string[] {
  const seen: string[] = []
  visitRequest(parseRequest({ model: 'm', messages: hello, ...body }).request, (field, path) => {
    seen.push(`${field} at ${path()}`)
  })
  return seen.filter((one) => one !== 'model at model' && !one.startsWith('messages.text'))
}

const tool = { type: 'function', function: { name: 'f' } }

describe('the fields that a request asks for', () => {
  it('are none if every field has its default value', () => {
    const body = {
      n: 1,
      tools: [],
      temperature: null,
      top_p: 1,
      frequency_penalty: 0,
      presence_penalty: 0,
      logprobs: false,
      stop: [],
      parallel_tool_calls: true,
      response_format: { type: 'text' },
      stream: false,
      stream_options: { include_obfuscation: false },
      logit_bias: {},
      service_tier: 'auto',
      store: false,
      modalities: ['text'],
      unheard_of: null,
    }
    expect(visitedFields(body)).toEqual([])
  })

  it.each<[object, string]>([
    [{ n: 2 }, 'n at n'],
    [{ logprobs: true }, 'logprobs at logprobs'],
    [{ seed: 0 }, 'seed at seed'],
    [{ stop: 'x' }, 'stop at stop'],
    [{ temperature: 0 }, 'temperature at temperature'],
    [{ parallel_tool_calls: false }, 'parallel_tool_calls at parallel_tool_calls'],
    [{ tools: [tool] }, 'tools at tools[0]'],
    [{ tools: [tool, { type: 'custom', custom: { name: 'c' } }] }, 'tools.custom at tools[1]'],
    [{ tools: [{ type: 'web_search' }] }, 'tools.unknown at tools[0]'],
    [
      { tools: [{ ...tool, function: { name: 'f', strict: true } }] },
      'tools.strict at tools[0].function.strict',
    ],
    [{ tool_choice: 'required' }, 'tool_choice.required at tool_choice'],
    [{ tool_choice: tool }, 'tool_choice.named at tool_choice'],
    [{ tool_choice: { type: 'allowed_tools' } }, 'tool_choice.other at tool_choice'],
    [{ response_format: { type: 'json_object' } }, 'response_format.json_object at response_format.type'],
    [{ reasoning_effort: 'none' }, 'reasoning_effort at reasoning_effort'],
    [{ top_k: 3 }, 'top_k at top_k'],
    [{ unheard_of: 3 }, 'unknown at unheard_of'],
    [{ functions: [{ name: 'f' }] }, 'functions at functions'],
    [{ modalities: ['text', 'audio'] }, 'modalities at modalities'],
  ])('%j', (body, expected) => {
    expect(visitedFields(body)).toContain(expected)
  })

  it('are named by their path in the body', () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
    const messages = [
      { role: 'system', content: 'x' },
      { role: 'developer', content: 'x', name: 'd' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'x' },
          { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
          { type: 'image_url', image_url: { url: 'https://a.test/x.png', detail: 'high' } },
          { type: 'file', file: { file_id: 'file_1' } },
          { type: 'video_url', video_url: { url: 'https://a.test/x.mp4' } },
        ],
      },
      { role: 'assistant', reasoning_content: 'hm', content: 'x', tool_calls: [call, call] },
      { role: 'tool', tool_call_id: 'c', name: 'f', content: 'x' },
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'assistant', refusal: 'no' },
    ]
    expect(visitedFields({ messages })).toEqual([
      'messages.system at messages[0].role',
      'messages.developer at messages[1].role',
      'messages.name at messages[1].name',
      'messages.input_audio at messages[2].content[1].input_audio',
      'messages.image_url at messages[2].content[2].image_url',
      'messages.image_url.detail at messages[2].content[2].image_url.detail',
      'messages.file at messages[2].content[3].file',
      'messages.file.file_id at messages[2].content[3].file.file_id',
      'messages.unknown_part at messages[2].content[4]',
      'messages.reasoning_content at messages[3].reasoning_content',
      'messages.tool_calls at messages[3].tool_calls[0]',
      'messages.tool_calls at messages[3].tool_calls[1]',
      'messages.tool at messages[4].role',
      'messages.function_call at messages[5].function_call',
      'messages.refusal at messages[6].refusal',
    ])
  })
})

describe('a field that the table refuses', () => {
  it('results in a 400 that names it, the model and the reason', () => {
    const { request } = parseRequest({ model: 'm', messages: hello, n: 2, seed: 1 })
    expect(() => refuseUnsupported(request, without('n'), 'anthropic/claude-x')).toThrow(
      expect.objectContaining({
        type: 'invalid_request_error',
        status: 400,
        param: 'n',
        message: 'n cannot be used with anthropic/claude-x: it does not support this.',
      }) as Error,
    )
  })

  it('is accepted if the request does not use it', () => {
    const { request } = parseRequest({ model: 'm', messages: hello, n: 1, top_k: 1 })
    expect(() => refuseUnsupported(request, without('n', 'unknown'), 'm')).not.toThrow()
  })
})
