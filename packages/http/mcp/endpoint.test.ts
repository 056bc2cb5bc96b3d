import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { McpAccess } from '@turnpike/identity'
import { expect, onTestFinished, test } from 'vitest'
import { Admission } from '../overload/admission.ts'
import { McpEndpoint } from './endpoint.ts'

const limits = { maxRequests: 10, maxBodiesBytes: 1_000_000, maxEventLoopDelayMs: 60_000 }

/** Starts an endpoint that accepts any credential, and takes the credential as the account's name. */
async function startEndpoint(clock: { nowMs: number }): Promise<string> {
  const admission = new Admission(limits)
  let origin = ''
  const addresses = () => ({
    resource: `${origin}/mcp`,
    path: '/mcp',
    metadataUrl: `${origin}/metadata`,
    metadataPaths: [],
  })
  const refused = { status: 403, wwwAuthenticate: 'Bearer', message: 'No.' } as const
  const endpoint = new McpEndpoint({
    access: {
      addresses,
      issuer: () => origin,
      authorization: () => ({
        verify: async (header = ''): Promise<McpAccess> => ({
          accountId: header,
          member: null,
          account: undefined as never,
          scopes: new Set(['usage:read']),
          clientId: 'x',
          clientName: 'x',
        }),
        insufficientScope: () => refused,
      }),
    },
    publicUrl: () => origin,
    allowedOrigins: [],
    version: '1',
    bodyMs: 1_000,
    messagesPerMinute: 2,
    log: { warn: () => undefined, error: () => undefined },
    api: {
      gateway: undefined as never,
      admission: () => admission,
      keys: { defaultKeyHash: async () => undefined, playgroundKeyHash: async () => '' },
      ask: async () => ({ status: 200, body: {} }),
      clock: () => clock.nowMs,
    },
  })
  const server = createServer((request, response) => void endpoint.handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    admission.close()
  })
  return origin
}

function list(origin: string, account: string, more: Record<string, string> = {}): Promise<Response> {
  return fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: account,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...more,
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })
}

test('an account that sends too many messages is limited, and no other account is', async () => {
  const clock = { nowMs: 1_000_000 }
  const origin = await startEndpoint(clock)
  const statuses: number[] = []
  for (let count = 0; count < 3; count++) statuses.push((await list(origin, 'one')).status)
  expect(statuses).toEqual([200, 200, 429])
  const refused = await list(origin, 'one')
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(await refused.json()).toMatchObject({ error: { data: { type: 'rate_limit_error', code: 429 } } })
  expect((await list(origin, 'two')).status).toBe(200)
  clock.nowMs += 60_000
  expect((await list(origin, 'one')).status).toBe(200)
})
