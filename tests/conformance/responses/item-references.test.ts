import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, type NodeDatabase } from '../../nodes/databases.ts'
import type { TestKey } from '../../nodes/test-node.ts'
import { sdk } from '../sdk-node.ts'
import { KeptNode, newKey, styles, thrownBy } from './kept-node.ts'

type Item = OpenAI.Responses.ResponseInputItem

const tools = [{ type: 'function' as const, name: 'weather', parameters: { type: 'object' }, strict: false }]
const reference = (id: string): Item => ({ type: 'item_reference', id })

describe.each(databases())('references to items of answers kept in $engine', ({ create }) => {
  let database: Awaited<ReturnType<NodeDatabase['create']>>
  let world: KeptNode
  let key: TestKey
  let client: OpenAI

  beforeAll(async () => {
    database = await create()
    world = await KeptNode.start(
      { store_days: 2, encryption_keys: [newKey()] },
      { databaseUrl: database.url },
    )
    key = await world.node.createKey()
    client = sdk(world.node, key.raw)
  })
  afterAll(async () => {
    await world.stop()
    await database.drop()
  })

  async function written(): Promise<void> {
    await expect
      .poll(async () => (await world.node.metrics()).text(), { timeout: 30_000 })
      .toContain('turnpike_kept_answers_waiting_bytes 0')
  }

  const names = Object.keys(styles)
  const pairs = names.flatMap((from) => names.map((to) => [from, to] as const))

  test.each(pairs)('work from a vendor of %s to one of %s', async (from, to) => {
    world.next(from, {
      id: `${from}_${to}`,
      reasoning: { text: 'Let me see.', signature: 'b3BhcXVl' },
      calls: [{ id: 'call_weather_1', name: 'weather', arguments: { city: 'Bern' } }],
    })
    const first = await client.responses.create({
      model: `${from}/m`,
      input: 'How is Bern?',
      tools,
      reasoning: { effort: 'low' },
    })
    // In half of the cases, they are read from the database.
    if (to === 'chat' || to === 'claude') await written()
    world.next(to, { text: 'It rains.' })
    const second = await client.responses.create({
      model: `${to}/m`,
      input: [
        { role: 'user', content: 'How is Bern?' },
        ...first.output.map(({ id }) => reference(id!)),
        { type: 'function_call_output', call_id: callOf(first), output: 'rainy' },
      ],
      tools,
    })
    expect(second.output_text).toBe('It rains.')
    for (const expected of ['How is Bern?', '"city', 'rainy'])
      expect(world.sent.replaceAll('\\', '')).toContain(expected)
    for (const unsaid of ['item_reference', 'turnpike.', 'resp_req_'])
      expect(world.sent).not.toContain(unsaid)
    if (from === to && from !== 'chat') expect(world.sent).toContain('b3BhcXVl')
    const { data } = await client.responses.inputItems.list(second.id, { order: 'asc' })
    expect(data.map(({ type }) => type)).not.toContain('item_reference')
  })

  test('work for a stream’s items, and a later answer continues the conversation', async () => {
    world.next('house', { id: 'streamed', text: 'Hello there.' }, true)
    const first = await client.responses.stream({ model: 'house/m', input: 'Hi' }).finalResponse()
    world.next('chat', { text: 'Other.' })
    const other = await client.responses.create({ model: 'chat/m', input: 'Else?' })
    world.next('chat', { text: 'Yes.' })
    await client.responses.create({
      model: 'chat/m',
      previous_response_id: other.id,
      input: [reference(first.output[0]!.id!), { role: 'user', content: 'More' }],
    })
    expect((JSON.parse(world.sent) as { messages: unknown }).messages).toEqual([
      { role: 'user', content: 'Else?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Other.' },
          { type: 'text', text: 'Hello there.' },
        ],
      },
      { role: 'user', content: 'More' },
    ])
  })

  test('are reported as missing, with their place in the request', async () => {
    world.next('house', { id: 'mine', text: 'Mine.' })
    const first = await client.responses.create({ model: 'house/m', input: 'x' })
    world.next('claude', { text: 'Mine, too.' })
    const second = await client.responses.create({ model: 'claude/m', input: 'x' })
    const neighbour = sdk(world.node, (await world.node.createKey()).raw)
    const asked = (by: OpenAI, id: string) =>
      thrownBy(
        by.responses.create({
          model: 'chat/m',
          input: [{ role: 'user', content: 'y' }, { role: 'user', content: 'z' }, reference(id)],
        }),
      )
    const nothing = await asked(neighbour, 'msg_nothing')
    for (const { output } of [first, second]) {
      const { id } = output[0]!
      const error = await asked(neighbour, id!)
      expect([error.status, error.param]).toEqual([400, 'input[2].id'])
      expect(error.message).toBe(nothing.message.replace('msg_nothing', id!))
    }
    await client.responses.delete(first.id)
    expect(await asked(client, first.output[0]!.id!)).toMatchObject({ status: 400, param: 'input[2].id' })
    const sibling = await world.node.createKey({ accountId: key.accountId })
    world.next('chat', { text: 'ok' })
    await sdk(world.node, sibling.raw).responses.create({
      model: 'chat/m',
      input: [reference(second.output[0]!.id!), { role: 'user', content: 'y' }],
    })
    expect(world.sent).toContain('Mine, too.')
  })

  test('are refused if several items have the name', async () => {
    for (const text of ['One.', 'Other.']) {
      world.next('house', { id: 'alike', text })
      await client.responses.create({ model: 'house/m', input: 'x' })
    }
    for (const ask of [async () => {}, written]) {
      await ask()
      const error = await thrownBy(
        client.responses.create({ model: 'chat/m', input: [reference('msg_alike')] }),
      )
      expect([error.status, error.param]).toEqual([400, 'input[0].id'])
      expect(error.message).toContain('several')
    }
  })

  test('do not allow a request that is too long, or has too many references', async () => {
    world.next('house', { id: 'long', text: 'x'.repeat(1_000_000) })
    const { output } = await client.responses.create({ model: 'house/m', input: 'x' })
    const long = Array.from({ length: 40 }, () => reference(output[0]!.id!))
    expect(await thrownBy(client.responses.create({ model: 'chat/m', input: long }))).toMatchObject({
      status: 413,
      param: 'input',
    })
    const many = Array.from({ length: 1_001 }, (_, index) => reference(`msg_${index}`))
    expect(await thrownBy(client.responses.create({ model: 'chat/m', input: many }))).toMatchObject({
      status: 400,
      param: 'input',
    })
  })

  test('count as input, for the count and the hold', async () => {
    world.next('chat', { text: 'word '.repeat(2_000) })
    const { output } = await client.responses.create({ model: 'chat/m', input: 'x' })
    const input = [reference(output[0]!.id!)]
    const counted = await client.responses.inputTokens.count({ model: 'chat/m', input })
    expect(counted.input_tokens).toBeGreaterThan(2_000)
    const poor = sdk(
      world.node,
      (await world.node.createKey({ accountId: key.accountId, creditUsd: '0' })).raw,
    )
    expect(await thrownBy(poor.responses.create({ model: 'chat/m', input }))).toMatchObject({ status: 402 })
  })
})

function callOf({ output }: OpenAI.Responses.Response): string {
  return output.find((item) => item.type === 'function_call')!.call_id
}
