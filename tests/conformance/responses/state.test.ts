import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, type NodeDatabase } from '../../nodes/databases.ts'
import type { TestKey } from '../../nodes/test-node.ts'
import { sdk } from '../sdk-node.ts'
import { KeptNode, newKey, storeOf, styles, thrownBy } from './kept-node.ts'

type Item = OpenAI.Responses.ResponseInputItem

const weather = {
  type: 'function' as const,
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  strict: false,
}

describe.each(databases())('answers kept in $engine', ({ create }) => {
  let database: Awaited<ReturnType<NodeDatabase['create']>>
  let world: KeptNode
  let key: TestKey
  let client: OpenAI

  beforeAll(async () => {
    database = await create()
    const settings = { store_days: 2, encryption_keys: [newKey()] }
    world = await KeptNode.start(settings, { databaseUrl: database.url })
    key = await world.node.createKey()
    client = sdk(world.node, key.raw)
  })
  afterAll(async () => {
    await world.stop()
    await database.drop()
  })

  const names = Object.keys(styles)
  const pairs = names.flatMap((from) => names.map((to) => [from, to] as const))

  test.each(pairs)('continue a conversation from a vendor of %s at one of %s', async (from, to) => {
    world.next(from, {
      reasoning: { text: 'Let me see.', signature: 'b3BhcXVl' },
      calls: [{ id: 'call_weather_1', name: 'weather', arguments: { city: 'Bern' } }],
    })
    const first = await client.responses.create({
      model: `${from}/m`,
      instructions: 'Rhyme.',
      input: 'How is Bern?',
      tools: [weather],
      reasoning: { effort: 'low' },
    })
    expect([storeOf(first), first.previous_response_id ?? null]).toEqual([true, null])
    const call = first.output.find((item) => item.type === 'function_call')!
    world.next(to, { text: 'It rains.' })
    const second = await client.responses.create({
      model: `${to}/m`,
      input: [{ type: 'function_call_output', call_id: call.call_id, output: 'rainy' }],
      tools: [weather],
      previous_response_id: first.id,
    })
    expect([second.output_text, second.previous_response_id, storeOf(second)]).toEqual([
      'It rains.',
      first.id,
      true,
    ])
    for (const expected of ['How is Bern?', 'Bern', 'rainy']) expect(world.sent).toContain(expected)
    for (const unsaid of ['Rhyme', 'previous_response_id', 'turnpike.', 'resp_req_'])
      expect(world.sent).not.toContain(unsaid)
    if (from === to && from !== 'chat') expect(world.sent).toContain('b3BhcXVl')
    // Gemini's signature is in the call's identifier, which Claude accepts.
    else if (from !== 'gemini') expect(world.sent).not.toContain('b3BhcXVl')
    const read = await client.responses.retrieve(second.id)
    expect({ ...read }).toEqual({ ...second })
  })

  test('include streams, which continue as streams', async () => {
    world.next('claude', { text: 'Hello there.' }, true)
    const first = await client.responses.stream({ model: 'claude/m', input: 'Hi' }).finalResponse()
    world.next('chat', { text: 'And again.' }, true)
    const second = client.responses.stream({
      model: 'chat/m',
      input: 'More',
      previous_response_id: first.id,
    })
    const stores: unknown[] = []
    for await (const event of second)
      if ('response' in event)
        stores.push([event.type, storeOf(event.response), event.response.previous_response_id])
    expect(stores).toEqual([
      ['response.created', true, first.id],
      ['response.in_progress', true, first.id],
      ['response.completed', true, first.id],
    ])
    const final = await second.finalResponse()
    expect((JSON.parse(world.sent) as { messages: unknown }).messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello there.' },
      { role: 'user', content: 'More' },
    ])
    const read = await client.responses.retrieve(final.id)
    expect([read.id, read.output_text, read.usage]).toEqual([final.id, 'And again.', final.usage])
  })

  test('do not include those with `store: false`', async () => {
    world.next('chat', { text: 'Secret.' })
    const response = await client.responses.create({ model: 'chat/m', input: 'x', store: false })
    expect(storeOf(response)).toBe(false)
    expect(await thrownBy(client.responses.retrieve(response.id))).toMatchObject({ status: 404 })
    expect(
      await thrownBy(
        client.responses.create({ model: 'chat/m', input: 'y', previous_response_id: response.id }),
      ),
    ).toMatchObject({ status: 400, param: 'previous_response_id', type: 'invalid_request_error' })
  })

  test('can be deleted for good', async () => {
    world.next('chat', { text: 'One.' })
    const response = await client.responses.create({ model: 'chat/m', input: 'x' })
    await client.responses.retrieve(response.id)
    const deleted = await fetch(`${world.node.baseUrl}/responses/${response.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${key.raw}` },
    })
    expect([deleted.status, await deleted.json()]).toEqual([
      200,
      { id: response.id, object: 'response', deleted: true },
    ])
    const left = [
      () => client.responses.retrieve(response.id),
      () => client.responses.delete(response.id),
      () => client.responses.inputItems.list(response.id),
    ]
    for (const ask of left)
      expect(await thrownBy(ask())).toMatchObject({ status: 404, type: 'not_found_error' })
  })

  test('are hidden from other accounts, but not from other keys', async () => {
    world.next('chat', { text: 'Mine.' })
    const { id } = await client.responses.create({ model: 'chat/m', input: 'x' })
    const neighbour = sdk(world.node, (await world.node.createKey()).raw)
    const nothing = await thrownBy(neighbour.responses.retrieve('resp_req_00000000000000000000000000'))
    const refused = await thrownBy(neighbour.responses.retrieve(id))
    expect(refused.message).toBe(nothing.message.replace('resp_req_00000000000000000000000000', id))
    expect(await thrownBy(neighbour.responses.delete(id))).toMatchObject({ status: 404 })
    expect(
      await thrownBy(neighbour.responses.create({ model: 'chat/m', input: 'x', previous_response_id: id })),
    ).toMatchObject({ status: 400, param: 'previous_response_id' })
    const sibling = await world.node.createKey({ accountId: key.accountId })
    expect((await sdk(world.node, sibling.raw).responses.retrieve(id)).output_text).toBe('Mine.')
  })

  test('are hidden from other projects in the same account', async () => {
    const { accountId } = await world.node.createKey()
    const path = `/accounts/${accountId}`
    const admin = <Body>(at: string, body: object): Promise<Body> =>
      world.node.admin<Body>(path + at, { method: 'POST', body })
    const newProject = () => admin<{ id: string }>('/projects', { name: `p ${Math.random()}` })
    const [one, two] = [await newProject(), await newProject()]
    const keyOf = async (project_id: string): Promise<OpenAI> =>
      sdk(world.node, (await admin<{ raw: string }>('/keys', { name: 'k', project_id })).raw)
    const [mine, sibling, neighbour] = [await keyOf(one.id), await keyOf(one.id), await keyOf(two.id)]
    await admin('/credits', { amount_usd: '5', kind: 'grant', reason: 'test' })
    world.next('house', { text: 'Ours.' })
    const { id, output } = await mine.responses.create({ model: 'house/m', input: 'x' })
    expect((await sibling.responses.retrieve(id)).output_text).toBe('Ours.')
    expect(await thrownBy(neighbour.responses.retrieve(id))).toMatchObject({ status: 404 })
    expect(await thrownBy(neighbour.responses.delete(id))).toMatchObject({ status: 404 })
    expect(
      await thrownBy(neighbour.responses.create({ model: 'chat/m', input: 'x', previous_response_id: id })),
    ).toMatchObject({ status: 400, param: 'previous_response_id' })
    const named = [{ type: 'item_reference' as const, id: output[0]!.id! }]
    expect(await thrownBy(neighbour.responses.create({ model: 'chat/m', input: named }))).toMatchObject({
      status: 400,
      param: 'input[0].id',
    })
    expect((await mine.responses.retrieve(id)).output_text).toBe('Ours.')
  })

  test('list their input items page by page', async () => {
    const input: Item[] = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'input_text', text: 'One?' }] },
    ]
    world.next('chat', { text: 'One.' })
    const first = await client.responses.create({ model: 'chat/m', input })
    world.next('chat', { text: 'Two.' })
    const second = await client.responses.create({
      model: 'chat/m',
      input: 'Two?',
      previous_response_id: first.id,
    })
    const texts: unknown[] = []
    for await (const item of client.responses.inputItems.list(second.id, { limit: 1, order: 'asc' }))
      texts.push(item.type === 'message' ? [item.role, item.status, item.content[0]] : item)
    expect(texts).toMatchObject([
      ['developer', 'completed', { type: 'input_text', text: 'Be brief.' }],
      ['user', 'completed', { type: 'input_text', text: 'One?' }],
      ['assistant', 'completed', { type: 'output_text', text: 'One.' }],
      ['user', 'completed', { type: 'input_text', text: 'Two?' }],
    ])
    const latest = await client.responses.inputItems.list(second.id, { limit: 2 })
    expect(latest.data.map((item) => ('role' in item ? item.role : item.type))).toEqual(['user', 'assistant'])
    expect(latest.has_more).toBe(true)
    for (const [query, param] of [
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['order=up', 'order'],
      ['after=nobody', 'after'],
      ['include=all', 'include[0]'],
    ]) {
      const response = await fetch(`${world.node.baseUrl}/responses/${second.id}/input_items?${query}`, {
        headers: { authorization: `Bearer ${key.raw}` },
      })
      expect([response.status, await response.json()]).toMatchObject([400, { error: { param } }])
    }
  })

  test('have clear errors for unknown answers', async () => {
    world.next('chat', { text: 'One.' })
    const { id } = await client.responses.create({ model: 'chat/m', input: 'x' })
    expect(await thrownBy(client.responses.cancel(id))).toMatchObject({ status: 400 })
    expect(await thrownBy(client.responses.retrieve(id, { stream: true }))).toMatchObject({
      status: 400,
      param: 'stream',
    })
    expect(await thrownBy(client.conversations.create({}))).toMatchObject({ status: 404 })
    expect(
      await thrownBy(client.responses.create({ model: 'chat/m', input: 'x', conversation: 'conv_1' })),
    ).toMatchObject({ status: 400, param: 'conversation' })
  })

  test('have errors with paths that the caller knows', async () => {
    world.next('chat', { text: 'One.' })
    const { id: previous_response_id } = await client.responses.create({ model: 'chat/m', input: 'x' })
    const input = [
      { role: 'user', content: 'y' },
      { role: 'user', content: [{ type: 'input_image', image_url: 5 }] },
    ] as unknown as Item[]
    const error = await thrownBy(client.responses.create({ model: 'chat/m', input, previous_response_id }))
    expect([error.status, error.param]).toEqual([400, 'input[1].content[0].image_url'])
    expect(error.message).toContain('input[1].content[0].image_url')
    const body = { model: 'chat/m', input: 'x', previous_response_id: 7 as unknown as string }
    expect(await thrownBy(client.responses.create(body))).toMatchObject({
      status: 400,
      param: 'previous_response_id',
    })
  })

  test('count as input, and are charged', async () => {
    world.next('chat', { text: 'One.' })
    const { id } = await client.responses.create({ model: 'chat/m', input: 'word '.repeat(2_000) })
    const counted = await client.responses.inputTokens.count({
      model: 'chat/m',
      input: 'x',
      previous_response_id: id,
    })
    expect(counted.input_tokens).toBeGreaterThan(2_000)
    const poor = await world.node.createKey({ accountId: key.accountId, creditUsd: '0' })
    expect(
      await thrownBy(
        sdk(world.node, poor.raw).responses.create({
          model: 'chat/m',
          input: 'x',
          previous_response_id: id,
        }),
      ),
    ).toMatchObject({ status: 402 })
  })
})
