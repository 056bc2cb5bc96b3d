import { describe, expect, it } from 'vitest'
import { readWholeAnswer } from '../../answers/whole-answer.ts'
import { bridged } from '../../testing/bridged.ts'
import { openaiChatCaller } from '../caller.ts'
import { openaiChat } from '../vendor.ts'
import { ChatStreamBridge } from './stream.ts'

/*
 * Mistakes of vendors of OpenAI's format that break its clients. Clients join what has the same index,
 * including names and ids, parse arguments as JSON text, and read a delta in every chunk. Shapes as in
 * ollama/ollama#15457, vercel/ai#14277, and Azure's asynchronous filter
 * (https://learn.microsoft.com/en-us/azure/ai-foundry/openai/concepts/content-streaming).
 */

type Fields = Record<string, unknown>

interface Choice {
  delta: Fields & { tool_calls?: ToolCall[] }
  finish_reason: string | null
}

interface ToolCall {
  index: number
  id?: string
  function: { name?: string; arguments?: string }
}

const head = { id: 'ours', model: 'p/m', created: 1_700_000_000, includeUsage: false }
const envelope = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' }
const usage = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 }

function chunk(delta: object, finishReason: unknown = null): Fields {
  return { ...envelope, choices: [{ index: 0, delta, finish_reason: finishReason }] }
}

/** The chunks that a caller gets, each with the choice that it contains. */
function passThrough(...chunks: Fields[]): (Fields & { choices: Choice[] })[] {
  const last = { ...envelope, choices: [], usage }
  const { text, error } = bridged(
    (listener) => new ChatStreamBridge(head, listener),
    [...chunks, last].map((one) => `data: ${JSON.stringify(one)}\n\n`),
  )
  expect(error).toBeUndefined()
  const events = text.split('\n\n').slice(0, -1)
  return events.map((event) => JSON.parse(event.slice('data: '.length)) as Fields & { choices: Choice[] })
}

/** The calls as a client assembles them, joining by index: `[id, name, arguments]` each. */
function joined(...deltas: unknown[]): [string, string, string][] {
  const calls: [string, string, string][] = []
  for (const { choices } of passThrough(
    ...deltas.map((calls) => chunk({ tool_calls: calls })),
    chunk({}, 'tool_calls'),
  )) {
    for (const { index, id, function: called } of choices[0]?.delta.tool_calls ?? []) {
      const call = (calls[index] ??= ['', '', ''])
      call[0] += id ?? ''
      call[1] += called.name ?? ''
      call[2] += called.arguments ?? ''
    }
  }
  return calls
}

const begin = (more: object, name: string, input: unknown): object => ({
  type: 'function',
  ...more,
  function: { name, arguments: input },
})

describe('calls that a client could not assemble', () => {
  const two = [
    ['a', 'f', '{"x":1}'],
    ['b', 'g', '{"y":2}'],
  ]

  it.each<[string, unknown[]]>([
    [
      'share an index',
      [[begin({ index: 0, id: 'a' }, 'f', '{"x":1}')], [begin({ index: 0, id: 'b' }, 'g', '{"y":2}')]],
    ],
    ['have none', [[begin({ id: 'a' }, 'f', '{"x":1}'), begin({ id: 'b' }, 'g', '{"y":2}')]]],
    [
      'are objects',
      [[begin({ index: 0, id: 'a' }, 'f', { x: 1 })], [begin({ index: 1, id: 'b' }, 'g', { y: 2 })]],
    ],
    [
      'stand without a list',
      [begin({ index: 0, id: 'a' }, 'f', '{"x":1}'), begin({ index: 1, id: 'b' }, 'g', '{"y":2}')],
    ],
    [
      'say their name with every piece',
      [
        [begin({ index: 0, id: 'a' }, 'f', '{"x"')],
        [begin({ index: 0, id: 'a' }, 'f', ':1}')],
        [begin({ index: 1, id: 'b' }, 'g', '{"y":2}')],
      ],
    ],
  ])('%s', (_form, deltas) => expect(joined(...deltas)).toEqual(two))

  it('get an id each if the vendor sends none, and are told apart by their arguments', () => {
    const calls = joined([begin({ index: 0, id: '' }, 'f', '{"x":1}')], [begin({ index: 0 }, 'f', '{"x":2}')])
    expect(calls.map(([, name, input]) => [name, input])).toEqual([
      ['f', '{"x":1}'],
      ['f', '{"x":2}'],
    ])
    expect(new Set(calls.map(([id]) => id)).size).toBe(2)
    for (const [id] of calls) expect(id).toMatch(/^call_\w+$/)
  })

  it.each(['', null, undefined])('get an empty object instead of %j', (input) => {
    expect(joined([begin({ index: 0, id: 'a' }, 'f', input)])).toEqual([['a', 'f', '{}']])
  })

  it('pass unchanged if nothing is wrong', () => {
    const sent = [
      {
        index: 0,
        id: 'a',
        type: 'function',
        function: { name: 'f', arguments: '' },
        extra_content: { google: {} },
      },
    ]
    const more = [{ index: 0, function: { arguments: '{}' } }]
    const chunks = passThrough(
      chunk({ tool_calls: sent }),
      chunk({ tool_calls: more }),
      chunk({}, 'tool_calls'),
    )
    expect(chunks.map(({ choices }) => choices[0]!.delta)).toEqual([
      { tool_calls: sent },
      { tool_calls: more },
      {},
    ])
  })
})

describe('a chunk that a client could not read', () => {
  const only = (...chunks: Fields[]): unknown => passThrough(...chunks, chunk({}, 'stop'))[0]!.choices[0]

  it('gets a delta if the vendor sends a message, or nothing', () => {
    const body = { ...envelope, choices: [{ index: 0, message: { content: 'hi' }, finish_reason: null }] }
    expect(only(body)).toEqual({ index: 0, delta: { content: 'hi' }, finish_reason: null })
    const filter = { index: 0, finish_reason: null, content_filter_results: {} }
    const empty = { id: '', object: '', created: 0, model: '' }
    const chunks = passThrough(chunk({ content: 'a' }), { ...empty, choices: [filter] }, chunk({}, 'stop'))
    expect(chunks[1]).toMatchObject({ id: 'c1', created: 1, choices: [{ ...filter, delta: {} }] })
  })

  it("gets no choice if the vendor's choice is null", () => {
    const chunks = passThrough(chunk({ content: 'a' }), { ...envelope, choices: [null] }, chunk({}, 'stop'))
    expect(chunks.map(({ choices }) => choices.length)).toEqual([1, 0, 1])
  })

  it('gets its content as text, and its thinking as reasoning', () => {
    const reference = { type: 'reference', reference_ids: [1] }
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'yes' },
      reference,
    ]
    expect(only(chunk({ content }))).toMatchObject({
      delta: { content: 'yes', reasoning_content: 'hm', reference: [reference] },
    })
  })

  it('gets a finish reason as a string if the vendor sends a number', () => {
    const chunks = passThrough(chunk({ content: 'a' }), chunk({}, 1))
    expect(chunks.map(({ choices }) => choices[0]!.finish_reason)).toEqual([null, 'stop'])
  })
})

it('repairs a whole answer in the same way', () => {
  const content = [{ type: 'text', text: 'yes' }]
  const calls = [begin({ id: 'a' }, 'f', { x: 1 }), { function: { name: 'g', arguments: '' } }]
  const message = { role: 'assistant', content, tool_calls: calls }
  const body = { ...envelope, choices: [{ index: 0, message, finish_reason: 2 }], usage }
  const { body: say } = readWholeAnswer(openaiChatCaller, openaiChat, JSON.stringify(body), head)
  const answer = JSON.parse(say(undefined, { usd: '0' })) as { choices: object[] }
  expect(answer.choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: {
      content: 'yes',
      tool_calls: [
        { id: 'a', function: { name: 'f', arguments: '{"x":1}' } },
        {
          id: expect.stringMatching(/^call_/) as string,
          type: 'function',
          function: { name: 'g', arguments: '{}' },
        },
      ],
    },
  })
})
