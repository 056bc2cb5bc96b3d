import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'
import { isSignedBy, WebhookReceiver } from './testing/webhook-receiver.ts'

const secret = 'secret of the chain of events'
const clock = pathToFileURL(join(import.meta.dirname, '../../../tests/nodes/skewed-clock.ts')).href
const minuteMs = 60_000
const eventCount = 12
/** Together with the earlier events, at most as many as may wait for one target. */
const eventsAtTheKill = 8

interface Row {
  [field: string]: unknown
  id: string
}

/*
 * Follows events to a receiver that is away for an hour, while the gateways are killed. Every event
 * arrives, and a receiver that compares identifiers sees each of them once.
 */
describe.each(databases())('events on $engine, while all goes wrong', ({ engine, create }) => {
  let database: Awaited<ReturnType<typeof create>>
  let receiver: WebhookReceiver
  let nodes: { gateway: GatewayProcess; environment: NodeJS.ProcessEnv }[]

  const startNode = async () => {
    const environment: NodeJS.ProcessEnv = { NODE_OPTIONS: `--import=${clock}`, CLOCK_SKEW_MS: '0' }
    const gateway = await GatewayProcess.create(
      {
        ...(database.url !== undefined && { database: { url: database.url } }),
        admin: { internal_secret: secret },
        webhooks: { allowed_networks: ['127.0.0.0/8'] },
      },
      [],
      environment,
    )
    return { gateway, environment }
  }
  /** Kills all gateways as a power cut does, and starts them again with their clocks this far ahead. */
  const killAll = async (skewMs: number): Promise<void> => {
    for (const { gateway, environment } of nodes) {
      await gateway.end('SIGKILL')
      environment['CLOCK_SKEW_MS'] = String(skewMs)
      await gateway.start()
    }
  }
  const call = async <Body = Row>(path: string, method = 'GET', body?: object): Promise<Body> => {
    const response = await fetch(`${nodes[0]!.gateway.origin}/api/v1/admin${path}`, {
      method,
      headers: { 'x-internal-secret': secret, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Body
  }

  beforeEach(async () => {
    database = await create()
    receiver = new WebhookReceiver()
    await receiver.listen()
    nodes = [await startNode()]
    if (engine === 'PostgreSQL') nodes.push(await startNode())
  })
  afterEach(async () => {
    for (const { gateway } of nodes) await gateway.remove()
    await receiver.close()
    await database.drop()
  })

  test('all arrive; those that come twice have one identifier', async () => {
    const { id: accountId } = await call('/accounts', 'POST', { email: `${Math.random()}@chain.test` })
    const path = `/accounts/${accountId}`
    const hook = { kind: 'webhook', url: receiver.url }
    const target = await call<Row & { secret: string }>(`${path}/event-targets`, 'POST', hook)
    const attemptsOf = async (): Promise<number[]> => {
      const { data } = await call<{ data: Row[] }>(`${path}/deliveries?limit=50`)
      return data.map((row) => Number(row['attempts']))
    }
    const statuses = async (): Promise<unknown[]> => {
      const { data } = await call<{ data: Row[] }>(`${path}/deliveries?limit=50`)
      return [...new Set(data.map((row) => row['status']))]
    }

    // The receiver accepts deliveries without responding. The sender dies and never learns the result.
    receiver.answer = 'silent'
    const raised: string[] = []
    const raise = async (): Promise<void> => {
      raised.push(String((await call(`${path}/event-targets/${target.id}/test`, 'POST'))['event_id']))
    }
    for (let count = 0; count < eventCount; count++) await raise()
    await expect.poll(() => receiver.received.length).toBeGreaterThan(1)
    const heardBefore = receiver.received.map(({ id }) => id)
    await receiver.close()
    // Some of these requests get no response. Those that did get one must arrive, and nothing else may.
    const cutOff = Promise.allSettled(Array.from({ length: eventsAtTheKill }, raise))
    await killAll(2 * minuteMs)
    await cutOff

    // While the receiver is away for an hour, each delivery is retried repeatedly.
    await expect.poll(async () => Math.min(...(await attemptsOf())), { timeout: 60_000 }).toBeGreaterThan(0)
    await killAll(62 * minuteMs)
    await expect.poll(async () => Math.min(...(await attemptsOf())), { timeout: 60_000 }).toBeGreaterThan(1)
    expect(await statuses()).toEqual(['pending'])

    receiver.answer = { status: 204 }
    await receiver.listen()
    // Later than any retry can be due.
    await killAll(5 * 60 * minuteMs)
    await expect.poll(statuses, { timeout: 90_000 }).toEqual(['delivered'])

    const ids = receiver.received.map(({ id }) => id)
    const { data: events } = await call<{ data: Row[] }>(`${path}/events?limit=100`)
    expect([...new Set(ids)].toSorted()).toEqual(events.map(({ id }) => id).toSorted())
    expect(raised.filter((id) => !ids.includes(id))).toEqual([])
    for (const id of heardBefore) expect(ids.filter((one) => one === id).length).toBeGreaterThan(1)
    for (const id of raised) {
      const same = receiver.received.filter((one) => one.id === id)
      expect(new Set(same.map(({ body }) => body)).size).toBe(1)
    }
    for (const one of receiver.received) expect(isSignedBy(target.secret, one)).toBe(true)

    // What has arrived does not come again, whichever node is killed next.
    const arrived = receiver.received.length
    await killAll(30 * 60 * minuteMs)
    await raise()
    await expect.poll(() => receiver.received.length).toBeGreaterThan(arrived)
    expect(receiver.received.slice(arrived).map(({ id }) => id)).toEqual(raised.slice(-1))
  }, 240_000)
})
