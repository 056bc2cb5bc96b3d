import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestKey } from '../nodes/test-node.ts'
import { converse, dial, head } from './raw-http.ts'
import { goodBody, startRefusingNode } from './refusing-node.ts'
import { suiteWorld } from '../nodes/suite.ts'

/** Requests that begin correctly and then stop. */

let key: TestKey

const world = await suiteWorld(startRefusingNode({ server: { body_seconds: 0.2 } }))

beforeEach(async () => {
  key = await world.node.createKey()
})

function requestHead(framing: [string, string | number]): string {
  return head('POST /v1/chat/completions HTTP/1.1', [
    ['host', new URL(world.node.origin).host],
    ['authorization', `Bearer ${key.raw}`],
    ['content-type', 'application/json'],
    ['x-turnpike-tags', 'broken'],
    framing,
  ])
}

async function rows(): Promise<unknown[]> {
  return (await world.node.admin<{ data: unknown[] }>(`/accounts/${key.accountId}/usage/requests`)).data
}

describe('a body', () => {
  afterEach(() => world.expectUnharmed())

  test.each([
    ['announced', ['content-length', 1000], '{"model":'],
    ['in chunks', ['transfer-encoding', 'chunked'], '9\r\n{"model":\r\n'],
    ['that never begins', ['content-length', 1000], ''],
  ] as [string, [string, string | number], string][])(
    'is 408 if it stalls (%s), and the connection is closed',
    async (_how, framing, body) => {
      // Asks for more answers than will come, so it ends when the server closes the connection.
      const pieces = [requestHead(framing), body]
      const { answers, closed } = await converse(world.node.origin, pieces, { answers: 2 })
      expect(closed).toBe(true)
      expect(answers).toHaveLength(1)
      const answer = answers[0]!
      await world.expectRefusal(answer.status, answer.headers, answer.body, {
        status: 408,
        param: null,
        message: /0\.2 seconds/u,
        tags: ['broken'],
        key,
      })
    },
  )

  test('is recorded with 499 if the client leaves in its middle', async () => {
    const socket = await dial(world.node.origin)
    await new Promise<void>((resolve) => socket.write(requestHead(['content-length', 1000]), () => resolve()))
    socket.resetAndDestroy()
    const left = {
      status: 499,
      outcome: 'failed',
      error_type: 'client_closed_request',
      cost_usd: '0',
      tags: ['broken'],
    }
    await expect.poll(rows, { timeout: 5_000 }).toEqual([expect.objectContaining(left)])
  })
})

describe('garbage after a request in progress does not corrupt its answer', () => {
  test.each([
    ['not begun', false, 'hang', /^$/u],
    ['begun', true, 'pace=0 stall=3', /^HTTP\/1\.1 200 OK\r\n(?:(?!HTTP\/1\.1).)*one(?:(?!HTTP\/1\.1).)*$/su],
  ])('that has %s', async (_when, stream, knobs, expected) => {
    const messages = [{ role: 'user', content: `one two three [sandbox: ${knobs}]` }]
    const body = JSON.stringify({ ...goodBody, messages, stream })
    const asked = world.vendor.journal.total
    const socket = await dial(world.node.origin)
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.on('error', () => undefined)
    socket.write(requestHead(['content-length', body.length]) + body)
    const underWay = (): boolean => world.vendor.journal.total > asked && (!stream || text.includes('one'))
    await expect.poll(underWay, { timeout: 5_000 }).toBe(true)
    socket.write('garbage\r\n\r\n')
    await closed
    expect(text).toMatch(expected)
    await expect
      .poll(rows, { timeout: 5_000 })
      .toEqual([expect.objectContaining({ outcome: 'client_closed', status: 499 })])
  })
})
