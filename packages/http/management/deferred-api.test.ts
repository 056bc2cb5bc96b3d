import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DeferredManagementApi } from './deferred-api.ts'
import type { HealthReport } from './services.ts'
import { startManagementServer, type ManagementServer } from './testing/management-server.ts'

let made: ManagementServer
let api: DeferredManagementApi
let server: Server
let origin: string
let report: HealthReport = { status: 'ok', checks: { database: { status: 'ok' } } }

beforeEach(async () => {
  made = await startManagementServer()
  api = new DeferredManagementApi({ ...made.services, health: () => report })
  server = createServer((request, response) => api.handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await api.close()
  await made.close()
})

/** A response without the parts that always differ. */
async function answerOf(path: string): Promise<unknown> {
  const answer = await fetch(origin + path)
  const headers = Object.fromEntries(answer.headers)
  const requestId = headers['x-request-id']!
  expect(requestId).toMatch(/^req_[0-9a-z]{26}$/)
  for (const name of ['x-request-id', 'date', 'connection', 'keep-alive']) delete headers[name]
  return { status: answer.status, headers, body: (await answer.text()).replaceAll(requestId, '') }
}

describe('a management API that is still loading', () => {
  test.each(['ok', 'draining'] as const)('answers health checks as it will later: %s', async (status) => {
    report = { status, checks: { database: { status: 'ok' } } }
    const early = [await answerOf('/healthz'), await answerOf('/readyz')]
    expect((await fetch(`${origin}/docs`)).status).toBe(200)
    expect([await answerOf('/healthz'), await answerOf('/readyz')]).toEqual(early)
  })

  test('tries again after a failure', async () => {
    let failures = 0
    const failing = new DeferredManagementApi(made.services, () => {
      if (failures++ === 0) throw new Error('too many open files')
      return { handle: () => false }
    })
    server
      .removeAllListeners('request')
      .on('request', (request, response) => failing.handle(request, response))
    expect((await fetch(`${origin}/docs`)).status).toBe(500)
    expect((await fetch(`${origin}/docs`)).status).toBe(200)
    await failing.close()
  })

  test('asks its front first, which knows its routes', async () => {
    const paths: string[] = []
    const fronted = new DeferredManagementApi(made.services, ({ routes }) => ({
      handle(request, response) {
        paths.push(...routes.map(({ path }) => path))
        if (request.url !== '/') return false
        response.end('a page')
        return true
      },
    }))
    server
      .removeAllListeners('request')
      .on('request', (request, response) => fronted.handle(request, response))
    expect(await (await fetch(origin)).text()).toBe('a page')
    expect((await fetch(`${origin}/docs`)).status).toBe(200)
    expect(paths).toContain('/docs')
    await fronted.close()
  })

  test('loads once, with the first requests that need it', async () => {
    const responses = await Promise.all([
      fetch(`${origin}/api/v1/admin/accounts`),
      fetch(`${origin}/openapi.json`),
      fetch(`${origin}/nothing`),
      fetch(`${origin}/healthz`, { method: 'POST' }),
    ])
    expect(responses.map(({ status }) => status)).toEqual([401, 200, 404, 405])
  })
})
