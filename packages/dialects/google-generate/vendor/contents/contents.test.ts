import { describe, expect, it } from 'vitest'
import { parseRequest } from '../../../openai-chat/caller/request.ts'
import { refusal } from '../../../testing/refusal.ts'
import { targetOf } from '../../../testing/target.ts'
import { googleGenerate } from '../../vendor.ts'
import { formatToolCallId } from '../../tool-call-id.ts'

type Body = Record<string, unknown>

function format(messages: unknown[], model = 'gemini-2.5-flash'): Body {
  const { request } = parseRequest({ model: 'google/x', messages })
  return googleGenerate.operations.generate.formatRequest(request, targetOf('google-generate', model, 1))
}

/** `u` and `m` are contents of the user and the model. */
const u = (...parts: unknown[]): unknown => ({ role: 'user', parts })
const m = (...parts: unknown[]): unknown => ({ role: 'model', parts })
const text = (content: string): Body => ({ text: content })
const call = (name: string, args: Body = {}): Body => ({ functionCall: { name, args } })
const result = (name: string, response: Body): Body => ({ functionResponse: { name, response } })
const missing = (name: string): Body => result(name, { error: 'No result was given for this call.' })

const toolCall = (id: string, name: string, args = '{}'): Body => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const calling = (...tool_calls: Body[]): Body => ({ role: 'assistant', content: null, tool_calls })
const answer = (tool_call_id: string, content: unknown): Body => ({ role: 'tool', tool_call_id, content })
const user = (content: unknown): Body => ({ role: 'user', content })
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } }
const inlineImage = { inlineData: { mimeType: 'image/png', data: 'iVBORw==' } }

const conversations: [string, unknown[], unknown[]][] = [
  [
    'turns of one side',
    [user('a'), user('b'), { role: 'assistant', content: 'c' }],
    [u(text('a'), text('b')), m(text('c'))],
  ],
  [
    'the assistant first',
    [{ role: 'assistant', content: 'a' }, user('b')],
    [u(text(' ')), m(text('a')), u(text('b'))],
  ],
  ['no word of the user', [{ role: 'system', content: 'a' }], [u(text(' '))]],
  [
    'empty content',
    [
      user(''),
      { role: 'assistant', content: '' },
      { role: 'assistant', content: null, refusal: 'no' },
      user([]),
    ],
    [u(text(' ')), m(text('no')), u(text(' '))],
  ],
  [
    'instructions on the way',
    [
      user('a'),
      { role: 'system', content: 'b' },
      { role: 'assistant', content: 'c' },
      { role: 'developer', content: 'd' },
    ],
    [u(text('a'), text('b')), m(text('c')), u(text('d'))],
  ],
  [
    'several results, in the order of their calls',
    [
      user('a'),
      calling(toolCall('1', 'x', '{"k":1}'), toolCall('2', 'y', '')),
      answer('2', 'two'),
      answer('1', 'one'),
      user('b'),
    ],
    [
      u(text('a')),
      m(call('x', { k: 1 }), call('y')),
      u(result('x', { output: 'one' }), result('y', { output: 'two' })),
      u(text('b')),
    ],
  ],
  [
    'calls of one step in messages of their own',
    [
      user('a'),
      calling(toolCall('1', 'x')),
      calling(toolCall('2', 'x')),
      answer('1', 'one'),
      answer('2', 'two'),
    ],
    [
      u(text('a')),
      m(call('x'), call('x')),
      u(result('x', { output: 'one' }), result('x', { output: 'two' })),
    ],
  ],
  [
    'calls without a result',
    [
      user('a'),
      calling(toolCall('1', 'x'), toolCall('2', 'y')),
      answer('1', 'one'),
      user('b'),
      calling(toolCall('3', 'z')),
    ],
    [
      u(text('a')),
      m(call('x'), call('y')),
      u(result('x', { output: 'one' }), missing('y')),
      u(text('b')),
      m(call('z')),
      u(missing('z')),
    ],
  ],
  [
    'a result without its call',
    [user('a'), answer('9', 'nine'), { role: 'assistant', content: 'b' }],
    [u(text('a'), text('Result of the earlier call 9:\nnine')), m(text('b'))],
  ],
  [
    'the deprecated functions',
    [
      user('a'),
      { role: 'assistant', content: null, function_call: { name: 'x', arguments: '{"k":1}' } },
      { role: 'function', name: 'x', content: 'one' },
    ],
    [u(text('a')), m(call('x', { k: 1 })), u(result('x', { output: 'one' }))],
  ],
  [
    'a custom tool',
    [
      user('a'),
      calling({ id: '1', type: 'custom', custom: { name: 'x', input: 'free {' } }),
      answer('1', 'one'),
    ],
    [u(text('a')), m(call('x', { input: 'free {' })), u(result('x', { output: 'one' }))],
  ],
  [
    'thoughts of nobody or of others',
    [
      user('a'),
      {
        role: 'assistant',
        content: 'b',
        reasoning_content: 'hm',
        reasoning_details: [
          { type: 'reasoning.text', text: 'hm', signature: 's', format: 'anthropic-claude-v1', index: 0 },
        ],
      },
    ],
    [u(text('a')), m(text('b'))],
  ],
]

const results: [string, unknown, Body][] = [
  ['text', 'sunny', { output: 'sunny' }],
  ['nothing', '', { output: '' }],
  [
    'several texts',
    [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
    { output: 'a\nb' },
  ],
  ['an object', '{"degrees":3}', { degrees: 3 }],
  ['a list', ' [1,2]', { output: [1, 2] }],
  ['a number', '007', { output: '007' }],
  ['an object with words that mean something there', '{"error":null}', { output: { error: null } }],
  [
    'numbers beyond what Google’s hold',
    '{"id":12345678901234567890}',
    { output: '{"id":12345678901234567890}' },
  ],
  ['what Google takes for a reference of its own', '{"$ref":"#/a"}', { output: '{"$ref":"#/a"}' }],
  ['what only begins as JSON', '[see below]', { output: '[see below]' }],
]

describe('a conversation with Google', () => {
  it.each(conversations)('with %s', (_name, messages, contents) => {
    expect(format(messages)['contents']).toEqual(contents)
  })

  it('separates the instructions at its beginning', () => {
    const messages = [
      { role: 'system', content: 'a' },
      { role: 'developer', content: [{ type: 'text', text: 'b' }] },
      user('c'),
    ]
    expect(format(messages)).toEqual({
      systemInstruction: { parts: [text('a'), text('b')] },
      contents: [u(text('c'))],
    })
  })

  it.each(results)('contains a result of %s', (_name, content, response) => {
    const { contents } = format([user('a'), calling(toolCall('1', 'x')), answer('1', content)])
    expect((contents as unknown[]).at(-1)).toEqual(u(result('x', response)))
  })

  it('contains a failure', () => {
    const failed = { ...answer('1', '{"code":5}'), is_error: true }
    const { contents } = format([user('a'), calling(toolCall('1', 'x')), failed])
    expect((contents as unknown[]).at(-1)).toEqual(u(result('x', { error: '{"code":5}' })))
  })

  it('puts images into a result, or beside it for older models', () => {
    const messages = [
      user('a'),
      calling(toolCall('1', 'x')),
      answer('1', [{ type: 'text', text: 'b' }, image]),
      user('c'),
    ]
    const response = { output: 'b' }
    expect((format(messages, 'gemini-3-flash')['contents'] as unknown[]).slice(2)).toEqual([
      u({ functionResponse: { name: 'x', response, parts: [inlineImage] } }),
      u(text('c')),
    ])
    expect((format(messages)['contents'] as unknown[]).slice(2)).toEqual([
      u(result('x', response)),
      u(text('Given with the result of x:'), inlineImage, text('c')),
    ])
  })
})

describe('thought signatures', () => {
  const signed = formatToolCallId({ googleId: 'fc-1', thoughtSignature: 'AB+/' }, '')

  it("go back with their calls, including Google's own ids", () => {
    const messages = [user('a'), calling(toolCall(signed, 'x')), answer(signed, 'one')]
    for (const model of ['gemini-2.5-flash', 'gemini-3-flash']) {
      expect(format(messages, model)['contents']).toEqual([
        u(text('a')),
        m({ functionCall: { id: 'fc-1', name: 'x', args: {} }, thoughtSignature: 'AB+/' }),
        u({ functionResponse: { id: 'fc-1', name: 'x', response: { output: 'one' } } }),
      ])
    }
  })

  it('are replaced, if other vendors send none, on the first call of a step', () => {
    const messages = [
      user('a'),
      calling(toolCall('1', 'x'), toolCall('2', 'y')),
      answer('1', 'b'),
      answer('2', 'c'),
    ]
    const thoughtSignature = 'skip_thought_signature_validator'
    expect((format(messages, 'gemini-3-flash')['contents'] as unknown[])[1]).toEqual(
      m({ ...call('x'), thoughtSignature }, call('y')),
    )
  })

  const details = (...reasoning_details: Body[]): unknown => {
    const numbered = reasoning_details.map((one, index) => ({ format: 'google-gemini-v1', index, ...one }))
    const message = { role: 'assistant', content: 'b', reasoning_details: numbered }
    return (format([user('a'), message])['contents'] as unknown[])[1]
  }

  it('go back with the text that they came with', () => {
    const encrypted = { type: 'reasoning.encrypted', data: 'S1' }
    expect(details(encrypted)).toEqual(m({ text: 'b', thoughtSignature: 'S1' }))
    expect(details(encrypted, { ...encrypted, data: 'S2' })).toEqual(
      m({ text: '', thoughtSignature: 'S1' }, { text: 'b', thoughtSignature: 'S2' }),
    )
    expect(details({ type: 'reasoning.text', text: 'hm', signature: 'S' }, encrypted)).toEqual(
      m({ text: 'hm', thought: true, thoughtSignature: 'S' }, { text: 'b', thoughtSignature: 'S1' }),
    )
  })

  it('go back without a text if they came without one', () => {
    const reasoning_details = [
      { type: 'reasoning.encrypted', data: 'S1', format: 'google-gemini-v1', index: 0 },
    ]
    const message = { ...calling(toolCall('1', 'x')), reasoning_details }
    expect((format([user('a'), message])['contents'] as unknown[])[1]).toEqual(
      m({ text: '', thoughtSignature: 'S1' }, call('x')),
    )
  })
})

const file = (fields: Body): Body => ({ type: 'file', file: fields })
const audio = (format: string): Body => ({ type: 'input_audio', input_audio: { data: 'AAAA', format } })
const url = (address: string): Body => ({ type: 'image_url', image_url: { url: address } })
const inline = (mimeType: string): Body => ({ inlineData: { mimeType, data: 'AAAA' } })
const fetched = (fileUri: string, mimeType?: string): Body => ({
  fileData: { ...(mimeType === undefined ? {} : { mimeType }), fileUri },
})

const files = 'https://generativelanguage.googleapis.com/v1beta/files/abc'
const media: [Body, Body][] = [
  [image, inlineImage],
  [url('data:image/jpg;base64,AAAA'), inline('image/jpeg')],
  [url('gs://bucket/a/photo.PNG'), fetched('gs://bucket/a/photo.PNG', 'image/png')],
  [url(files), fetched(files)],
  [audio('wav'), inline('audio/wav')],
  [audio('mp3'), inline('audio/mp3')],
  [audio('audio/ogg'), inline('audio/ogg')],
  [file({ file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' }), inline('application/pdf')],
  [file({ file_data: 'data:video/mp4;base64,AAAA' }), inline('video/mp4')],
  [file({ file_data: 'https://www.youtube.com/watch?v=1' }), fetched('https://www.youtube.com/watch?v=1')],
  [file({ file_id: 'files/abc', filename: 'a.pdf' }), fetched(files, 'application/pdf')],
  [file({ file_id: 'gs://bucket/talk.mp4' }), fetched('gs://bucket/talk.mp4', 'video/mp4')],
]

describe('media for Google', () => {
  it.each(media)('%j', (part, expected) => {
    expect(format([user([{ type: 'text', text: 'a' }, part])])['contents']).toEqual([u(text('a'), expected)])
  })

  it.each([
    ['messages[0].content[1].image_url.url', url('https://example.com/a.png')],
    ['messages[0].content[1].image_url', url('data:;base64,AAAA')],
    ['messages[0].content[1].file.file_data', file({ file_data: 'https://example.com/a.pdf' })],
    ['messages[0].content[1].file.file_id', file({ file_id: 'file-abc' })],
    ['messages[0].content[1]', { type: 'video_url', video_url: {} }],
  ])('are refused by name: %s', (path, part) => {
    expect(() => format([user([{ type: 'text', text: 'a' }, part])])).toThrow(refusal(path))
  })

  it('refuses by name arguments that are not an object', () => {
    const broken = {
      role: 'assistant',
      content: 'a',
      tool_calls: [toolCall('1', 'x'), toolCall('2', 'y', '{"k":')],
    }
    expect(() => format([broken])).toThrow(refusal('messages[0].tool_calls[1].function.arguments'))
  })

  it('refuses by name an instruction that is not text', () => {
    expect(() => format([{ role: 'system', content: [image] }])).toThrow(refusal('messages[0].content[0]'))
  })
})
