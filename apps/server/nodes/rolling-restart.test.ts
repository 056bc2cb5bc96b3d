import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Balancer } from '../../../tests/nodes/balancer.ts'
import { databases } from '../../../tests/nodes/databases.ts'
import { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'
import { suiteDatabase, suiteVendor } from '../../../tests/nodes/suite.ts'

const postgres = databases().find(({ engine }) => engine === 'PostgreSQL')
const clients = 6
/** Slow enough that all requests together stay within a key's burst. */
const pauseMs = 750

describe.skipIf(postgres === undefined)('two nodes behind a balancer', () => {
  const vendor = suiteVendor()
  const database = suiteDatabase(() => postgres!.create())
  let nodes: GatewayProcess[]
  let balancer: Balancer

  beforeAll(async () => {
    const create = (): Promise<GatewayProcess> =>
      GatewayProcess.create({
        // Callers use the balancer's address, which has another port.
        server: { drain_delay_seconds: 1, allowed_hosts: ['127.0.0.1'] },
        database: { url: database.url! },
        admin: { internal_secret: 'secret of a rolling restart' },
        providers: { vendor: { style: 'openai', base_url: vendor.baseUrl() } },
        models: { 'vendor/echo': { pricing: { prompt: '0.000001', completion: '0.000001' } } },
      })
    nodes = [await create(), await create()]
    balancer = await Balancer.start(nodes.map((node) => node.port))
    for (const { port } of nodes)
      await vi.waitFor(() => expect(balancer.isReady(port)).toBe(true), { timeout: 30_000 })
  }, 120_000)
  afterAll(async () => {
    await balancer.close()
    for (const node of nodes) await node.remove()
  })

  it('are restarted one after the other without a failed request', async () => {
    const failures: string[] = []
    let answered = 0
    const over = new AbortController()
    const key = nodes[0]!.demoKey
    const client = async (number: number): Promise<void> => {
      for (let count = 0; !over.signal.aborted; count++) {
        const failure = await ask(balancer.port, key, (number + count) % 2 === 0)
        if (failure === undefined) answered++
        else failures.push(failure)
        await delay(pauseMs)
      }
    }
    const load = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
    for (const node of nodes) {
      const before = answered
      await vi.waitFor(() => expect(answered).toBeGreaterThan(before + 2 * clients), { timeout: 30_000 })
      expect(await node.end('SIGTERM')).toBe(0)
      await node.start()
      await vi.waitFor(() => expect(balancer.isReady(node.port)).toBe(true), { timeout: 30_000 })
    }
    over.abort()
    await load
    expect(failures).toEqual([])
    for (const { port } of nodes) expect(balancer.served.get(port)).toBeGreaterThan(0)
  }, 180_000)
})

/** Why a request failed; undefined if the whole answer came. */
async function ask(port: number, key: string, stream: boolean): Promise<string | undefined> {
  const content = `one two three four [sandbox: ${stream ? 'pace=20/s' : 'pace=0'}]`
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'vendor/echo', stream, messages: [{ role: 'user', content }] }),
    })
    const text = await response.text()
    const isWhole = stream ? text.endsWith('data: [DONE]\n\n') : text.endsWith('}')
    return response.status === 200 && isWhole ? undefined : `${response.status} ${text}`
  } catch (error) {
    return String(error)
  }
}
