import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startVendorServer } from '@turnpike/simulators'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { DatabaseProxy } from '../../nodes/database-proxy.ts'
import { databases } from '../../nodes/databases.ts'
import { GatewayProcess } from '../../nodes/gateway-process.ts'
import { sdk } from '../sdk-node.ts'
import { inputOf, KeptNode, newKey, storeOf, thrownBy } from './kept-node.ts'

/* Kept answers when something fails, is full or changes. */

const model = 'chat/m'
const ended: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end()
})

async function started(...options: Parameters<typeof KeptNode.start>): Promise<KeptNode> {
  const world = await KeptNode.start(...options)
  ended.push(() => world.stop())
  return world
}

test('a new key still reads what the old key has sealed, until the old one is removed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-kept-'))
  ended.push(async () => rmSync(dataDir, { recursive: true, force: true }))
  const [old, young] = [newKey(), newKey()]
  let world = await KeptNode.start({ store_days: 1, encryption_keys: [old] }, { dataDir })
  const key = await world.node.createKey()
  world.next('chat', { text: 'Kept.' })
  const { id } = await sdk(world.node, key.raw).responses.create({ model, input: 'x' })
  await world.stop()
  world = await KeptNode.start({ store_days: 1, encryption_keys: [young, old] }, { dataDir })
  expect((await sdk(world.node, key.raw).responses.retrieve(id)).output_text).toBe('Kept.')
  await world.stop()
  world = await started({ store_days: 1, encryption_keys: [young] }, { dataDir })
  expect(await thrownBy(sdk(world.node, key.raw).responses.retrieve(id))).toMatchObject({ status: 404 })
  expect(world.node.log).toContainEqual(
    expect.objectContaining({ level: 'error', message: 'a stored answer cannot be decrypted' }),
  )
})

test('an answer that is too large is not kept, and a conversation is limited like a body', async () => {
  const world = await started(
    { store_days: 1, encryption_keys: [newKey()], max_answer_bytes: 100_000 },
    { input: { server: { max_body_bytes: 60_000 } } },
  )
  const client = sdk(world.node, (await world.node.createKey()).raw)
  world.next('chat', { text: 'x'.repeat(90_000) })
  const input = 'y'.repeat(20_000)
  const large = await client.responses.create({ model, input })
  expect(storeOf(large)).toBe(false)
  expect(await thrownBy(client.responses.retrieve(large.id))).toMatchObject({ status: 404 })
  let previous_response_id: string | null = null
  for (let turns = 0; turns < 2; turns++) {
    world.next('chat', { text: 'ok' })
    const response: object & { id: string } = await client.responses.create({
      model,
      input,
      previous_response_id,
    })
    expect(storeOf(response)).toBe(true)
    previous_response_id = response.id
  }
  const error = await thrownBy(client.responses.create({ model, input, previous_response_id }))
  expect([error.status, error.param]).toEqual([413, 'previous_response_id'])
  expect(await (await world.node.metrics()).text()).toContain(
    'turnpike_kept_answers_total{result="too-large"} 1',
  )
})

/** On a slow machine, two readings take seconds and none is refused; then it is tried again. */
test('a long conversation that is loaded counts like one that is sent', { retry: 3 }, async () => {
  const limits = { burst_per_key_per_second: 10, burst_body_bytes: 10_000 }
  const settings = { store_days: 1, encryption_keys: [newKey()] }
  const world = await started(settings, { input: { limits } })
  const client = sdk(world.node, (await world.node.createKey()).raw)
  world.next('chat', { text: 'ok' })
  const { id } = await client.responses.create({ model, input: 'x'.repeat(600_000) })
  const items = client.responses.inputItems
  const asked = (): Promise<number> =>
    items.list(id).then(
      () => 200,
      (error: { status: number }) => error.status,
    )
  await expect.poll(asked, { timeout: 30_000 }).toBe(200)
  expect(await asked()).toBe(429)
})

test('new answers of an account replace its oldest ones', async () => {
  const world = await started({
    store_days: 1,
    encryption_keys: [newKey()],
    max_answer_bytes: 900_000,
    max_account_bytes: 1_048_576,
  })
  const client = sdk(world.node, (await world.node.createKey()).raw)
  const ids: string[] = []
  for (let count = 0; count < 5; count++) {
    const noise = Buffer.from(Array.from({ length: 300_000 }, () => Math.random() * 256)).toString('base64')
    world.next('chat', { text: 'ok' })
    ids.push((await client.responses.create({ model, input: noise })).id)
  }
  await expect
    .poll(
      () =>
        client.responses.retrieve(ids[0]!).then(
          () => 200,
          (error: { status: number }) => error.status,
        ),
      { timeout: 30_000 },
    )
    .toBe(404)
  expect((await client.responses.retrieve(ids[4]!)).output_text).toBe('ok')
})

describe.each(databases())('on $engine', ({ create }) => {
  test('a killed process loses at most an answer of its last moment, and says so', async () => {
    const database = await create()
    ended.push(() => database.drop())
    const vendor = await startVendorServer()
    ended.push(() => vendor.close())
    const input = inputOf(vendor, { store_days: 1, encryption_keys: [newKey()] })
    const gateway = await GatewayProcess.create({
      ...input,
      ...(database.url === undefined ? {} : { database: { url: database.url } }),
    })
    ended.push(() => gateway.remove())
    const call = async (path: string, body?: object): Promise<{ status: number; json: Answered }> => {
      const response = await fetch(`${gateway.origin}/v1/responses${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${gateway.demoKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, json: (await response.json()) as Answered }
    }
    const ids: string[] = []
    for (let count = 0; count < 8; count++) {
      const { json } = await call('', { model, input: `Turn ${count} [sandbox: pace=0]` })
      expect(json.store).toBe(true)
      ids.push(json.id)
      // A process that stops normally writes what is waiting.
      if (count === 3) {
        await gateway.end('SIGTERM')
        await gateway.start()
      }
    }
    await gateway.end('SIGKILL')
    await gateway.start()
    const found = await Promise.all(ids.map((id) => call(`/${id}`)))
    expect(found.slice(0, 4).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const [index, { status, json }] of found.entries()) {
      const goesOn = await call('', { model, input: 'x [sandbox: pace=0]', previous_response_id: ids[index] })
      if (status === 200) expect(goesOn.status).toBe(200)
      else {
        expect([status, json.error?.message]).toEqual([404, expect.stringContaining('not stored')])
        expect([goesOn.status, goesOn.json.error?.code]).toEqual([400, 'previous_response_not_found'])
      }
    }
    expect(await gateway.admin('/ledger/verify')).toMatchObject({ ok: true })
    await gateway.end('SIGTERM')
    await gateway.start()
    for (const [index, { status }] of found.entries())
      expect((await call(`/${ids[index]}`)).status).toBe(status)
  })
})

describe.each(databases())('an answer that is deleted while it is written, on $engine', ({ create }) => {
  test('does not come back, even if the process is killed', async () => {
    const database = await create()
    ended.push(() => database.drop())
    const vendor = await startVendorServer()
    ended.push(() => vendor.close())
    const gateway = await GatewayProcess.create({
      ...inputOf(vendor, { store_days: 1, encryption_keys: [newKey()] }),
      ...(database.url === undefined ? {} : { database: { url: database.url } }),
    })
    ended.push(() => gateway.remove())
    const headers = { authorization: `Bearer ${gateway.demoKey}`, 'content-type': 'application/json' }
    const deleted = Array.from({ length: 24 }, async (_, index) => {
      const body = JSON.stringify({ model, input: `Turn ${index} [sandbox: pace=0]` })
      const created = await fetch(`${gateway.origin}/v1/responses`, { method: 'POST', headers, body })
      const { id } = (await created.json()) as Answered
      await delay(2 * index)
      const gone = await fetch(`${gateway.origin}/v1/responses/${id}`, { method: 'DELETE', headers })
      expect(gone.status).toBe(200)
      return id
    })
    const ids = await Promise.all(deleted)
    await gateway.end('SIGKILL')
    await gateway.start()
    for (const id of ids)
      expect((await fetch(`${gateway.origin}/v1/responses/${id}`, { headers })).status).toBe(404)
  })
})

interface Answered {
  id: string
  store?: boolean
  error?: { message: string; code: string | null }
}

describe.skipIf(inject('postgresUrl') === null)('on two nodes', () => {
  const keys = [newKey()]
  const settings = { store_days: 1, encryption_keys: keys }
  const postgres = () => databases().find(({ engine }) => engine === 'PostgreSQL')!

  test('an answer of one node is available on the other at once, and deleted on both', async () => {
    const database = await postgres().create()
    ended.push(() => database.drop())
    const left = await started(settings, { databaseUrl: database.url })
    const right = await started(settings, { databaseUrl: database.url })
    const key = await left.node.createKey()
    const [atLeft, atRight] = [sdk(left.node, key.raw), sdk(right.node, key.raw)]
    let previous_response_id: string | null = null
    for (let turn = 0; turn < 10; turn++) {
      const [world, client] = turn % 2 === 0 ? [left, atLeft] : [right, atRight]
      const text = `Answer ${turn}.`
      world.next('claude', { text }, true)
      const asked = { model: 'claude/m', input: `Turn ${turn}.`, previous_response_id }
      const answered: { id: string } = await client.responses.stream(asked).finalResponse()
      previous_response_id = answered.id
    }
    for (let turn = 0; turn < 9; turn++) expect(right.sent).toContain(`Answer ${turn}.`)
    await atLeft.responses.delete(previous_response_id!)
    for (const client of [atLeft, atRight])
      expect(await thrownBy(client.responses.retrieve(previous_response_id!))).toMatchObject({ status: 404 })
  })

  test('items of one node’s answers can be referenced on the other at once', async () => {
    const database = await postgres().create()
    ended.push(() => database.drop())
    const left = await started(settings, { databaseUrl: database.url })
    const right = await started(settings, { databaseUrl: database.url })
    const key = await left.node.createKey()
    const [atLeft, atRight] = [sdk(left.node, key.raw), sdk(right.node, key.raw)]
    const input: { type: 'item_reference'; id: string }[] = []
    for (let turn = 0; turn < 6; turn++) {
      const [world, client] = turn % 2 === 0 ? [left, atLeft] : [right, atRight]
      const style = turn % 3 === 0 ? 'claude' : 'house'
      world.next(style, { id: `turn${turn}`, text: `Answer ${turn}.` })
      const asked = [...input, { role: 'user' as const, content: `Turn ${turn}.` }]
      const { output } = await client.responses.create({ model: `${style}/m`, input: asked })
      input.push({ type: 'item_reference', id: output[0]!.id! })
      for (let before = 0; before < turn; before++) expect(world.sent).toContain(`Answer ${before}.`)
    }
  })

  test('an unreachable database delays no other request, and loses nothing', async () => {
    const database = await postgres().create()
    ended.push(() => database.drop())
    const proxy = await DatabaseProxy.start(database.url!)
    ended.push(() => proxy.down())
    const world = await started(settings, { databaseUrl: proxy.url })
    const client = sdk(world.node, (await world.node.createKey()).raw)
    world.next('chat', { text: 'One.' })
    const first = await client.responses.create({ model, input: 'x' })
    await expect
      .poll(async () => (await world.node.metrics()).text(), { timeout: 30_000 })
      .toContain('{result="kept"} 1')
    await proxy.down()
    world.next('chat', { text: 'Two.' })
    const second = await client.responses.create({ model, input: 'y' })
    expect(storeOf(second)).toBe(true)
    // The second one is still in memory; the first one is not.
    expect((await client.responses.retrieve(second.id)).output_text).toBe('Two.')
    expect(await thrownBy(client.responses.retrieve(first.id))).toMatchObject({ status: 503 })
    expect(
      await thrownBy(client.responses.create({ model, input: 'z', previous_response_id: first.id })),
    ).toMatchObject({ status: 503 })
    await proxy.up()
    await expect
      .poll(async () => (await world.node.metrics()).text(), { timeout: 30_000 })
      .toContain('{result="kept"} 2')
    expect((await client.responses.retrieve(first.id)).output_text).toBe('One.')
    expect((await client.responses.retrieve(second.id)).output_text).toBe('Two.')
  })
})
