import { expect, test } from 'vitest'
import { MemoryIdempotencyStore } from './memory-idempotency-store.ts'

const answer = { status: 201, body: '{"id": 1}' }
const hourMs = 60 * 60 * 1000

test('of two claims one is granted; its answer is kept for 24 hours', async () => {
  const store = new MemoryIdempotencyStore()
  expect(await store.claim('a', 'body', 0)).toEqual({ state: 'claimed' })
  expect(await store.claim('a', 'body', 1)).toEqual({ state: 'running' })
  expect(await store.claim('a', 'other', 1)).toEqual({ state: 'reused' })
  await store.keep('a', answer)
  expect(await store.claim('a', 'body', 24 * hourMs - 1)).toEqual({ state: 'answered', answer })
  expect(await store.claim('a', 'other', 24 * hourMs - 1)).toEqual({ state: 'reused' })
  expect(await store.claim('a', 'other', 24 * hourMs)).toEqual({ state: 'claimed' })
})

test('a released claim is free again', async () => {
  const store = new MemoryIdempotencyStore()
  await store.claim('a', 'body', 0)
  await store.release('a')
  expect(await store.claim('a', 'other', 1)).toEqual({ state: 'claimed' })
})

test('holds no more entries than it may: the oldest go first', async () => {
  const store = new MemoryIdempotencyStore(3)
  for (const id of ['a', 'b', 'c', 'd']) await store.claim(id, 'body', 0)
  expect(await store.claim('d', 'body', 0)).toEqual({ state: 'running' })
  expect(await store.claim('a', 'body', 0)).toEqual({ state: 'claimed' })
})

test('holds no more text than it may', async () => {
  const store = new MemoryIdempotencyStore(100, 10)
  for (const id of ['a', 'b']) {
    await store.claim(id, 'body', 0)
    await store.keep(id, answer)
  }
  await store.claim('c', 'body', 0)
  expect(await store.claim('a', 'body', 0)).toEqual({ state: 'claimed' })
})
