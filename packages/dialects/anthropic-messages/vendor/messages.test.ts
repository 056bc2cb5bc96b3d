import { describe, expect, it } from 'vitest'
import { refusal } from '../../testing/refusal.ts'
import { formatted } from '../testing/formatted.ts'

const user = (content: unknown): object => ({ role: 'user', content })
const assistant = (content: unknown, beside: object = {}): object => ({
  role: 'assistant',
  content,
  ...beside,
})
const system = (content: unknown): object => ({ role: 'system', content })
const calling = (...ids: string[]): object =>
  assistant(null, {
    tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{"a":1}' } })),
  })
const result = (id: string, content: unknown = 'done', beside: object = {}): object => ({
  role: 'tool',
  tool_call_id: id,
  content,
  ...beside,
})
const use = (id: string): object => ({ type: 'tool_use', id, name: 'f', input: { a: 1 } })
const used = (id: string, beside: object = { content: 'done' }): object => ({
  type: 'tool_result',
  tool_use_id: id,
  ...beside,
})
const text = (one: string): object => ({ type: 'text', text: one })
const messages = (list: object[], model?: string): unknown => formatted({ messages: list }, model).messages

describe('instructions', () => {
  it('are separate if they come first', () => {
    const body = formatted({
      messages: [
        system('a'),
        {
          role: 'developer',
          content: [{ type: 'text', text: 'b', cache_control: { type: 'ephemeral', ttl: '1h' } }],
        },
        user('hi'),
      ],
    })
    expect(body.system).toEqual([
      text('a'),
      { ...text('b'), cache_control: { type: 'ephemeral', ttl: '1h' } },
    ])
    expect(body.messages).toEqual([{ role: 'user', content: 'hi' }])
  })

  it('stay in the conversation, marked, if the model accepts no such turns', () => {
    expect(messages([user('a'), assistant('b'), system('c'), user('d'), system('e')])).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      {
        role: 'user',
        content: [text('<system>\nc\n</system>'), text('d'), text('<system>\ne\n</system>')],
      },
    ])
  })

  it('are turns of their own if the model accepts them, and only where they are allowed', () => {
    const list = [user('a'), system('b'), system('c'), assistant('d'), system('e'), user('f'), system('g')]
    expect(messages(list, 'claude-opus-4-8')).toEqual([
      { role: 'user', content: 'a' },
      { role: 'system', content: [text('b'), text('c')] },
      { role: 'assistant', content: 'd' },
      { role: 'user', content: [text('<system>\ne\n</system>'), text('f')] },
      { role: 'system', content: 'g' },
    ])
    expect(messages([user('a'), system('b'), user('c')], 'claude-opus-4-8')).toEqual([
      { role: 'user', content: [text('a'), text('<system>\nb\n</system>'), text('c')] },
    ])
  })

  it("become the user's turn if there is no other", () => {
    const body = formatted({ messages: [system('Write a poem')] })
    expect(body.system).toBeUndefined()
    expect(body.messages).toEqual([{ role: 'user', content: 'Write a poem' }])
  })

  it('are text', () => {
    const image = { type: 'image_url', image_url: { url: 'https://a.test/x.png' } }
    expect(() => formatted({ messages: [system([image]), user('x')] })).toThrow('messages[0].content[0]')
  })
})

describe('turns', () => {
  it('alternate, and begin with the user', () => {
    expect(messages([assistant('a'), assistant('b'), user('c'), user('d')])).toEqual([
      { role: 'user', content: '(The conversation begins.)' },
      { role: 'assistant', content: [text('a'), text('b')] },
      { role: 'user', content: [text('c'), text('d')] },
    ])
  })

  it('omit empty content', () => {
    const list = [
      user('a'),
      assistant(''),
      assistant(null),
      user([text(' \n'), text('b')]),
      assistant('c \n'),
    ]
    expect(messages(list)).toEqual([
      { role: 'user', content: [text('a'), text('b')] },
      { role: 'assistant', content: 'c' },
    ])
  })

  it('have a refusal as text', () => {
    expect(messages([user('a'), assistant(null, { refusal: 'no' }), user('b')])).toContainEqual({
      role: 'assistant',
      content: 'no',
    })
  })
})

describe('tool calls', () => {
  it('are answered by one turn, results first', () => {
    const list = [user('a'), calling('x', 'y'), result('y'), user('well'), result('x'), assistant('b')]
    expect(messages(list)).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [use('x'), use('y')] },
      { role: 'user', content: [used('y'), used('x'), text('well')] },
      { role: 'assistant', content: 'b' },
    ])
  })

  it('come last in their turn, even if it was sent in pieces', () => {
    const [, turn] = messages([user('a'), calling('x'), assistant('text'), result('x')]) as object[]
    expect(turn).toEqual({ role: 'assistant', content: [text('text'), use('x')] })
  })

  it.each([
    ['in the middle', [user('a'), calling('x', 'y'), result('x'), user('go on')]],
    ['at the end', [user('a'), calling('x', 'y'), result('x')]],
  ])('without a result get one that says so, %s', (_where, list) => {
    const turn = (messages(list) as { content: object[] }[])[2]!
    const [first, second] = turn.content
    expect(first).toEqual(used('x'))
    expect(second).toMatchObject({ type: 'tool_result', tool_use_id: 'y', is_error: true })
  })

  it('without any result get a turn with results', () => {
    expect(messages([user('a'), calling('x')])).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', is_error: true }] },
    ])
  })

  it('may have no arguments', () => {
    const call = { id: 'x', type: 'function', function: { name: 'f', arguments: '' } }
    expect(messages([user('a'), assistant(null, { tool_calls: [call] }), result('x')])).toMatchObject([
      {},
      { content: [{ type: 'tool_use', input: {} }] },
      {},
    ])
  })

  it('match their results if another vendor made the ids', () => {
    const id = 'call_1.AAEC/+=='
    const [, made, answered] = messages([user('a'), calling(id), result(id)]) as { content: object[] }[]
    const { id: madeId } = made!.content[0] as { id: string }
    expect(madeId).toMatch(/^call_[0-9a-f]{32}$/)
    expect(answered!.content[0]).toMatchObject({ tool_use_id: madeId })
  })

  it.each([
    ['"half', 'messages[1].tool_calls[1].function.arguments'],
    ['[1]', 'messages[1].tool_calls[1].function.arguments'],
  ])('with the arguments %s are a 400', (text, param) => {
    const calls = ['{}', text].map((one, at) => ({
      id: `c${at}`,
      type: 'function',
      function: { name: 'f', arguments: one },
    }))
    expect(() => messages([user('a'), assistant(null, { tool_calls: calls })])).toThrow(refusal(param))
  })

  it.each([
    ['nobody made', [user('a'), result('x')]],
    ['was answered before', [user('a'), calling('x'), result('x'), result('x')]],
    ['was made in another turn', [user('a'), calling('x'), result('x'), assistant('b'), result('x')]],
  ])('that %s cannot be answered', (_what, list) => {
    const param = `messages[${list.length - 1}].tool_call_id`
    expect(() => messages(list)).toThrow(refusal(param))
  })
})

describe('tool results', () => {
  it('contain text, images and failures; a cache mark within applies to the whole result', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    const marked = { type: 'text', text: 'seen', cache_control: { type: 'ephemeral' } }
    const list = [
      user('a'),
      calling('x', 'y', 'z'),
      result('x', [marked, image]),
      result('y', 'broken', { is_error: true }),
      result('z', ''),
    ]
    expect(messages(list)).toMatchObject([
      {},
      {},
      {
        content: [
          used('x', {
            content: [
              text('seen'),
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            ],
            cache_control: { type: 'ephemeral' },
          }),
          used('y', { content: 'broken', is_error: true }),
          used('z', {}),
        ],
      },
    ])
  })
})

describe('thinking', () => {
  const detail = { format: 'anthropic-claude-v1', index: 0 }
  const details = [
    { ...detail, type: 'reasoning.text', text: 'hm', signature: 'c2ln' },
    { ...detail, type: 'reasoning.encrypted', data: 'b3Bh', index: 1 },
    { type: 'reasoning.text', text: 'another', signature: 'x', format: 'google-gemini-v1', index: 2 },
    { ...detail, type: 'reasoning.text', text: 'unproved', index: 3 },
  ]
  const turn = assistant('answer', { reasoning_content: 'hm', reasoning_details: details })
  const own = [
    { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'b3Bh' },
  ]

  it('goes back unchanged and first; that of other vendors is left out', () => {
    const list = [user('a'), { ...turn, ...calling('x'), content: 'answer' }, result('x')]
    expect(messages(list)).toMatchObject([{}, { content: [...own, text('answer'), use('x')] }, {}])
  })

  it('is not sent to a model that never thinks', () => {
    expect(messages([user('a'), turn, user('b')], 'claude-3-5-haiku-20241022')).toMatchObject([
      {},
      { content: 'answer' },
      {},
    ])
  })
})

describe('images and documents', () => {
  const part = (content: object): unknown =>
    (messages([user([content, { type: 'text', text: 'x' }])]) as { content: object[] }[])[0]!.content[0]
  const image = (url: string): object => ({ type: 'image_url', image_url: { url, detail: 'low' } })
  const file = (one: object): object => ({ type: 'file', file: one })

  it.each([
    [image('https://a.test/x.png'), { type: 'url', url: 'https://a.test/x.png' }],
    [image('data:image/jpg;base64,AAAA'), { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' }],
    [
      file({ file_data: 'data:image/webp;base64,AAAA' }),
      { type: 'base64', media_type: 'image/webp', data: 'AAAA' },
    ],
  ])('are an image: %j', (one, source) => {
    expect(part(one)).toEqual({ type: 'image', source })
  })

  it.each([
    [
      { file_data: 'data:application/pdf;base64,AAAA' },
      { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
    ],
    [
      { file_data: 'data:text/csv;base64,w7xiZXI=' },
      { type: 'text', media_type: 'text/plain', data: 'über' },
    ],
    [{ file_data: 'https://a.test/x.pdf' }, { type: 'url', url: 'https://a.test/x.pdf' }],
    [{ file_id: 'file_1' }, { type: 'file', file_id: 'file_1' }],
  ])('are a document: %j', (one, source) => {
    expect(part(file(one))).toEqual({ type: 'document', source })
    expect(part(file({ ...one, filename: 'x' }))).toEqual({ type: 'document', source, title: 'x' })
  })

  it.each([
    [image('data:image/tiff;base64,AAAA'), 'messages[0].content[0].image_url.url'],
    [image('gs://bucket/x.png'), 'messages[0].content[0].image_url.url'],
    [file({ file_data: 'data:application/zip;base64,AAAA' }), 'messages[0].content[0].file.file_data'],
    [
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      'messages[0].content[0].input_audio',
    ],
    [{ type: 'video_url', video_url: {} }, 'messages[0].content[0]'],
  ])('are a 400: %j', (one, param) => {
    expect(() => part(one)).toThrow(refusal(param))
  })
})
