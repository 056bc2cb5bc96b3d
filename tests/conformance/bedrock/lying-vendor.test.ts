import { converseFrame, exceptionFrame, invokeFrame } from '@turnpike/simulators/clouds/frames'
import { describe, expect, test } from 'vitest'
import { claude, nova, startBedrockNode, streamed, told } from './bedrock-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/** Faulty streams of AWS: what the caller gets, and what is charged. */

interface Row {
  outcome: string
  cost_usd: string
  tokens_in: number
  tokens_out: number
}

const text = (piece: string): string => piece.repeat(40)
const head = [
  converseFrame('messageStart', { role: 'assistant' }),
  ...['sun ', 'moon ', 'star '].map((piece) =>
    converseFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: text(piece) } }),
  ),
  converseFrame('contentBlockStop', { contentBlockIndex: 0 }),
]
const stop = converseFrame('messageStop', { stopReason: 'end_turn' })
const usage = (inputTokens: number, outputTokens: number): Buffer =>
  converseFrame('metadata', { usage: { inputTokens, outputTokens } })
/** 100 × 0.06 + 150 × 0.24 millionths of a dollar. */
const costUsd = '0.000042'
const counted = usage(100, 150)

const world = await suiteWorld(startBedrockNode())

async function asked(frames: readonly Buffer[], model = nova): Promise<{ said: string; row: Row }> {
  world.vendor.next({ script: streamed(...frames) })
  const messages = [{ role: 'user', content: 'Hello' }]
  const response = await world.node.chat(world.key, { model, max_tokens: 400, stream: true, messages })
  const responseText = await response.text()
  const { data } = await world.node.admin<{ data: Row[] }>('/usage/requests?limit=1')
  return { said: responseText, row: data[0]! }
}

const broken = (frame: Buffer, at: number): Buffer => {
  const bytes = Buffer.from(frame)
  bytes[at]! ^= 1
  return bytes
}

/** The checksum of its length is right, so nothing else shows that it is no frame. */
function claimed(bytes: number, headers: number): Buffer {
  const frame = Buffer.from(stop.subarray(0, 12))
  frame.writeUInt32BE(bytes, 0)
  frame.writeUInt32BE(headers, 4)
  return frame
}

describe('a stream by Converse', () => {
  test.each<[string, Buffer[]]>([
    ['its usage twice', [stop, counted, counted]],
    ['a second usage that contradicts the first', [stop, counted, usage(1, 1)]],
    ['its usage before its end', [counted, stop]],
    ['its end twice', [stop, stop, counted]],
    ['texts after its end', [stop, ...head.slice(1, 4), counted]],
  ])('with %s is complete, and charged once', async (_what, ending) => {
    const { said, row } = await asked([...head, ...ending])
    expect(said).toMatch(/"finish_reason":"stop"/u)
    expect(said.match(/"content":"sun /gu)).toHaveLength(1)
    expect(said).toMatch(/\[DONE\]\n\n$/u)
    expect(row).toMatchObject({ outcome: 'completed', cost_usd: costUsd })
  })

  test.each<[string, Buffer[]]>([
    ['no usage', [stop]],
    ['an empty usage', [stop, converseFrame('metadata', { usage: {} })]],
    ['a usage below zero', [stop, usage(-100, -150)]],
    ['a usage beyond the model’s limits', [stop, usage(1e12, 1e12)]],
    ['a usage of another type', [stop, converseFrame('metadata', { usage: 'many' })]],
  ])("with %s is complete, and charged by the gateway's count", async (_what, ending) => {
    const { said, row } = await asked([...head, ...ending])
    expect(said).toMatch(/\[DONE\]\n\n$/u)
    expect(row.outcome).toBe('completed')
    expect(row.tokens_out).toBeGreaterThan(100)
    expect(row.tokens_out).toBeLessThan(400)
    expect(Number(row.cost_usd)).toBeGreaterThan(0)
  })

  test.each<[string, Buffer[]]>([
    ['without its end', []],
    ['without its end, but with its usage', [counted]],
    ['with an exception instead of its end', [exceptionFrame('throttlingException', { message: 'x' })]],
    ['with an unknown exception', [exceptionFrame('someNewException', {})]],
    ['with a frame of two gigabytes', [claimed(2 ** 31 - 1, 20)]],
    ['with a frame of no bytes', [claimed(0, 0)]],
    ['with headers longer than the frame', [claimed(100, 99)]],
    ['with a frame’s wrong checksum', [broken(stop, stop.length - 1)]],
    ['with a length’s wrong checksum', [broken(stop, 9)]],
    ['with a wrong byte of a payload', [broken(stop, stop.length - 8)]],
    ['with a truncated frame', [stop.subarray(0, 30)]],
    ['with an HTML page instead of frames', [Buffer.from('<html>'.repeat(10))]],
    ['with an end without its reason', [converseFrame('messageStop', {})]],
    ['with a second start', [head[0]!, stop, counted]],
    [
      'whose model wrote an unreadable call',
      [converseFrame('messageStop', { stopReason: 'malformed_tool_use' })],
    ],
  ])('%s ends with an error, and the delivered part is charged', async (_what, ending) => {
    const { said, row } = await asked([...head, ...ending])
    expect(said).toMatch(/"finish_reason":"error"/u)
    expect(said).not.toContain('[DONE]')
    expect(row.outcome).toBe('upstream_cut')
    expect(row.tokens_out).toBeGreaterThan(100)
    expect(Number(row.cost_usd)).toBeGreaterThan(0)
  })

  test.each([
    ['throttlingException', 429],
    ['serviceQuotaExceededException', 503],
    ['modelNotReadyException', 503],
    ['serviceUnavailableException', 503],
    ['modelTimeoutException', 504],
    ['modelStreamErrorException', 502],
    ['internalServerException', 502],
    ['validationException', 400],
  ])('that begins with %s has a status, and costs nothing', async (name, status) => {
    const frame = exceptionFrame(name, { message: 'It is said.' })
    world.vendor.next({ script: streamed(frame) })
    const messages = [{ role: 'user', content: 'Hello' }]
    // A model for each case, because the upstream's other models may be in cooldown afterwards.
    const model = 'bedrock/us.meta.llama3-3-70b-instruct-v1:0'
    const response = await world.node.chat(world.key, { model, stream: true, messages })
    await response.text()
    expect([status, 503]).toContain(response.status)
    const { data } = await world.node.admin<{ data: Row[] }>('/usage/requests?limit=1')
    expect(data[0]).toMatchObject({ outcome: 'failed', cost_usd: '0' })
  })

  test('is an error in place of a plain answer, and so is a plain answer in its place', async () => {
    const messages = [{ role: 'user', content: 'Hello' }]
    world.vendor.next({ script: streamed(...head, stop, counted) })
    const plain = await world.node.chat(world.key, { model: nova, messages })
    expect(plain.status).toBe(502)
    world.vendor.next({ script: told(200, { message: 'Internal.' }) })
    const stream = await world.node.chat(world.key, { model: nova, stream: true, messages })
    const streamText = await stream.text()
    if (stream.status === 200) expect(streamText).toContain('"finish_reason":"error"')
    else expect(stream.status).toBe(502)
  })
})

describe('a stream in Anthropic’s format', () => {
  const tokens = { input_tokens: 100, output_tokens: 150 }
  /** 100 × 3.3 + 150 × 16.5 millionths of a dollar. */
  const claudeUsd = '0.002805'
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [] }
  const start = [
    { type: 'message_start', message: { ...message, usage: { input_tokens: 100, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...['sun ', 'moon ', 'star '].map((piece) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: text(piece) },
    })),
    { type: 'content_block_stop', index: 0 },
  ].map(invokeFrame)
  const delta = invokeFrame({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: tokens })
  const end = invokeFrame({ type: 'message_stop' })

  test('whose events have their type last is read nevertheless', async () => {
    const turned = [
      { message: { ...message, usage: tokens }, type: 'message_start' },
      { index: 0, content_block: { type: 'text', text: '' }, type: 'content_block_start' },
      { index: 0, delta: { type: 'text_delta', text: 'Hi' }, type: 'content_block_delta' },
      { index: 0, type: 'content_block_stop' },
      { delta: { stop_reason: 'end_turn' }, usage: tokens, type: 'message_delta' },
      { type: 'message_stop' },
    ].map(invokeFrame)
    world.vendor.next({ script: streamed(...turned) })
    const own = { model: claude, max_tokens: 400, messages: [{ role: 'user' as const, content: 'Hello' }] }
    expect(await world.claude.messages.stream(own).finalMessage()).toMatchObject({
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
    })
  })

  test('is charged by its own usage', async () => {
    const { row } = await asked([...start, delta, end], claude)
    expect(row).toMatchObject({ outcome: 'completed', cost_usd: claudeUsd })
  })

  test.each<[string, Buffer[]]>([
    ['without its end', []],
    ['with an exception', [exceptionFrame('modelStreamErrorException', { message: 'x' })]],
    ['with a frame that is broken', [broken(delta, delta.length - 2)]],
    ['with an empty chunk', [converseFrame('chunk', {})]],
  ])('%s ends with an error, and the delivered part is charged', async (_what, ending) => {
    const { said, row } = await asked([...start, ...ending], claude)
    expect(said).toMatch(/"finish_reason":"error"/u)
    expect(row.outcome).toBe('upstream_cut')
    expect(row.tokens_out).toBeGreaterThan(100)
  })
})
