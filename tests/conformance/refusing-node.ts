import { afterAll, afterEach, expect } from 'vitest'
import type { ConfigurationInput } from '../../apps/server/configuration/schema/schema.ts'
import type { TestKey } from '../nodes/test-node.ts'
import { startSdkNode, type SdkNode } from './sdk-node.ts'

/** The error that a caller must get, and what must be recorded of its request. */
export interface Refusal {
  status: number
  /** Path of the invalid field; null if there is none. */
  param: string | null
  message?: RegExp
  /** Tags of the request's row; default: none. */
  tags?: string[]
  /** The key that sent the request; null if it is unknown, and then there is no row. */
  key?: TestKey | null
}

const types: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  408: 'invalid_request_error',
  413: 'request_too_large',
  415: 'invalid_request_error',
  417: 'invalid_request_error',
  431: 'invalid_request_error',
}

/** How much of the caller's own text an error may repeat. */
const longestMessage = 600

/** A gateway for invalid requests. */
export interface RefusingNode extends SdkNode {
  post(body: string | Buffer | object, headers?: Record<string, string>): Promise<Response>
  expectRefused(response: Response, refusal: Refusal): Promise<void>
  /** The same for a response whose parts were read already. */
  expectRefusal(status: number, headers: Headers, body: string, refusal: Refusal): Promise<void>
  /** Sends a valid body, and returns what the vendor gets. */
  received(body: string | Buffer): Promise<string>
  /** Expects no charge, no call to the vendor, no internal error, and that valid requests are served. */
  expectUnharmed(): Promise<void>
}

export const goodBody = {
  model: 'openai/gpt-4o-mini',
  messages: [{ role: 'user', content: 'Hello [sandbox: pace=0]' }],
}

/** The start of a body to which members can be appended. */
export const openedBody = JSON.stringify(goodBody).slice(0, -1)

/** For a test file: checks after each test that the gateway is unharmed, and stops it after the last. */
export async function refusingNode(): Promise<RefusingNode> {
  const world = await startRefusingNode()
  afterEach(() => world.expectUnharmed())
  afterAll(() => world.stop())
  return world
}

function posting({ node, key }: SdkNode): RefusingNode['post'] {
  return (body, headers = {}) => {
    const plain = typeof body === 'string' || Buffer.isBuffer(body)
    return fetch(`${node.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.raw}`, 'content-type': 'application/json', ...headers },
      body: plain ? (body as string) : JSON.stringify(body),
    })
  }
}

export async function startRefusingNode(input: ConfigurationInput = {}): Promise<RefusingNode> {
  const world = await startSdkNode(input)
  const { node, vendor, key } = world
  const goodKey = await node.createKey()
  let goodRequests = 0

  async function expectRefusal(
    status: number,
    headers: Headers,
    body: string,
    refusal: Refusal,
  ): Promise<void> {
    expect(body).toMatch(/^\{"error":/u)
    const { error } = JSON.parse(body) as { error: Record<string, unknown> }
    expect({ status, ...error }).toEqual({
      status: refusal.status,
      message: expect.stringMatching(refusal.message ?? /^.{10}/su),
      type: types[refusal.status],
      code: refusal.status,
      param: refusal.param,
      request_id: headers.get('x-request-id'),
    })
    expect((error['message'] as string).length).toBeLessThan(longestMessage)
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/u)
    expect(headers.get('content-type')).toBe('application/json')
    if (refusal.key === null) return
    const { accountId } = refusal.key ?? key
    const path = `/accounts/${accountId}/usage/requests/${headers.get('x-request-id')!}`
    const row = await node.admin<{ tags: string[] }>(path)
    expect({ ...row, tags: row.tags.toSorted() }).toMatchObject({
      outcome: 'failed',
      status: refusal.status,
      error_type: types[refusal.status],
      // A name with other characters may be arbitrary text of the caller, so it is not recorded.
      error_param: /^[\w$.:[\]/-]+$/u.test(refusal.param ?? '') ? refusal.param : null,
      cost_usd: '0',
      tags: (refusal.tags ?? []).toSorted(),
      model_served: null,
      tokens_in: 0,
    })
  }

  const post = posting(world)

  return {
    ...world,
    post,
    async received(body) {
      const response = await post(body)
      expect(await response.json()).toMatchObject({ object: 'chat.completion' })
      return world.lastRequest().body.toString('utf8')
    },
    expectRefused: async (response, refusal) =>
      expectRefusal(response.status, response.headers, await response.text(), refusal),
    expectRefusal,
    async expectUnharmed() {
      const { accountId } = key
      expect(await node.admin(`/accounts/${accountId}`)).toMatchObject({ balance_usd: '100' })
      const { data } = await node.admin<{ data: { kind: string }[] }>(`/accounts/${accountId}/ledger`)
      expect(data.map((entry) => entry.kind)).toEqual(['grant'])
      expect(node.log.filter((line) => line.level === 'error')).toEqual([])
      expect(vendor.journal.total).toBe(goodRequests)
      expect((await fetch(`${node.origin}/healthz`)).status).toBe(200)
      goodRequests++
      expect((await node.chat(goodKey, goodBody)).status).toBe(200)
    },
  }
}
