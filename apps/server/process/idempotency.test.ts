import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../packages/storage/testing/test-database.ts'
import { internalSecret, startTestNode, type TestNode } from '../../../tests/nodes/test-node.ts'

interface Answer {
  status: number
  replayed: boolean
  retryAfter: string | null
  body: { id: string; raw: string }
}

/* An `Idempotency-Key` has the same effect on every node, and after a restart. */
describe.skipIf(inject('postgresUrl') === null)('two nodes with idempotency keys', () => {
  let database: TestDatabase
  let left: TestNode
  let right: TestNode
  let accountId: string

  const start = (): Promise<TestNode> => {
    const { options } = database
    if (options.engine !== 'postgres') throw new Error('asked for PostgreSQL, got another engine')
    return startTestNode({ databaseUrl: options.url })
  }

  beforeAll(async () => {
    database = await createTestDatabase('postgres')
    left = await start()
    right = await start()
    accountId = (await left.createKey()).accountId
  })
  afterAll(async () => {
    for (const node of [left, right]) await node.stop()
    await database.drop()
  })

  async function createKey(node: TestNode, idempotencyKey: string, name = 'one'): Promise<Answer> {
    const response = await fetch(`${node.origin}/api/v1/admin/accounts/${accountId}/keys`, {
      method: 'POST',
      headers: {
        'x-internal-secret': internalSecret,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({ name }),
    })
    return {
      status: response.status,
      replayed: response.headers.has('idempotency-replayed'),
      retryAfter: response.headers.get('retry-after'),
      body: (await response.json()) as Answer['body'],
    }
  }

  test('run one of two requests that arrive at both at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => createKey(index % 2 === 0 ? left : right, 'at-once')),
    )
    const done = answers.filter(({ status }) => status === 201)
    expect(done.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(new Set(done.map(({ body }) => body.raw)).size).toBe(1)
    for (const { status, retryAfter } of answers.filter((one) => one.status !== 201))
      expect([status, retryAfter]).toEqual([409, '1'])
  })

  test('return the same response from the other node, and after a restart', async () => {
    const first = await createKey(left, 'then-the-other')
    const again = await createKey(right, 'then-the-other')
    expect([again.status, again.replayed, again.body]).toEqual([201, true, first.body])
    expect((await createKey(right, 'then-the-other', 'two')).status).toBe(409)
    await left.stop()
    left = await start()
    expect((await createKey(left, 'then-the-other')).body).toEqual(first.body)
  })

  test('store no raw key in the database', async () => {
    const { body } = await createKey(left, 'sealed')
    const held = `SELECT 1 / count(*) FROM idempotency_claims WHERE body LIKE '%${body.raw.slice(12, 30)}%'`
    await expect(database.execute(held)).rejects.toThrow(/division by zero/)
  })
})
