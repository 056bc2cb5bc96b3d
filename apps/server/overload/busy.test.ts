import { existsSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { longAnswer, openStream } from '../../../tests/faults/long-answer.ts'
import { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'
import { suiteVendor } from '../../../tests/nodes/suite.ts'

const secret = 'secret of a busy node'
const maxRequests = 100
const clients = 400
const busyMs = 3_000
const readers = 60
/** The memory that a client which stops reading may occupy (docs/contract.md, 15). */
const bytesPerReader = 1024 * 1024
const patience = { timeout: 30_000, interval: 500 }

describe('a process with more load than it can handle', () => {
  const vendor = suiteVendor()
  let gateway: GatewayProcess

  beforeAll(async () => {
    gateway = await GatewayProcess.create({
      admin: { internal_secret: secret },
      overload: { max_requests: maxRequests },
      providers: { vendor: { style: 'openai', base_url: vendor.baseUrl() } },
      models: {
        'vendor/m': { pricing: { prompt: '0', completion: '0' }, max_output_tokens: 50_000_000 },
      },
    })
  }, 60_000)
  afterAll(() => gateway.remove())

  it('serves what it accepts, refuses the rest, and stays reachable for health checks', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: clients })
    const statuses = new Map<number, number>()
    const over = new AbortController()
    const client = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const status = await post(gateway, agent)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    const load = Promise.all(Array.from({ length: clients }, client))
    const endsAtMs = performance.now() + busyMs
    while (performance.now() < endsAtMs) {
      for (const path of ['/healthz', '/readyz', '/metrics']) {
        const response = await fetch(gateway.origin + path, { headers: { 'x-internal-secret': secret } })
        await response.text()
        expect(response.status).toBe(200)
      }
    }
    over.abort()
    await load
    agent.destroy()
    expect(new Set(statuses.keys())).toEqual(new Set([200, 503]))
    expect(await post(gateway, new Agent())).toBe(200)
  }, 60_000)

  it.skipIf(!existsSync('/proc/self/status'))(
    'uses little memory for clients that do not read',
    async () => {
      const sockets: Socket[] = []
      const open = async (count: number): Promise<void> => {
        const first = vendor.journal.entries.length
        for (let reader = 0; reader < count; reader++) {
          vendor.next({ script: longAnswer() })
          const socket = await openStream(gateway.port, gateway.demoKey)
          sockets.push(socket.pause())
        }
        let before = -1
        await vi.waitFor(() => {
          const entries = vendor.journal.entries.slice(first)
          const sent = entries.reduce((sum, { bytesSent }) => sum + bytesSent, 0)
          const stopped = sent === before
          before = sent
          expect(stopped).toBe(true)
        }, patience)
        await delay(500)
      }
      // The memory that a process needs once, for its first clients, does not count for the others.
      await open(10)
      const before = residentBytes(gateway.pid)
      await open(readers)
      const grown = residentBytes(gateway.pid) - before
      for (const socket of sockets) socket.destroy()
      expect(grown).toBeLessThan(readers * bytesPerReader)
    },
    120_000,
  )
})

function post(gateway: GatewayProcess, agent: Agent): Promise<number> {
  const messages = [{ role: 'user', content: 'one two [sandbox: pace=0]' }]
  const headers = { authorization: `Bearer ${gateway.demoKey}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const options = { port: gateway.port, path: '/v1/chat/completions', method: 'POST', headers, agent }
    const sent = request(options, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
      if (answer.statusCode === 503 && answer.headers['retry-after'] === undefined)
        reject(new Error('503 without Retry-After'))
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ model: 'vendor/m', messages }))
  })
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
