import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { endOfTurn } from './end-of-turn.ts'

/** Far enough apart that no arrival of one test is close to one of another. */
let atMs = 0

it('comes after all that is handed over in the turn, once for all that wait for it', async () => {
  atMs += 1_000
  expect(endOfTurn(atMs)).toBeUndefined()
  const order: string[] = []
  const waits = ['first', 'second'].map(async (name) => {
    await endOfTurn(atMs)
    order.push(name)
  })
  expect(endOfTurn(atMs)).toBe(endOfTurn(atMs))
  process.nextTick(() => order.push('tick'))
  queueMicrotask(() => order.push('microtask'))
  await Promise.all(waits)
  expect(order.slice(0, 2).toSorted()).toEqual(['microtask', 'tick'])
  expect(order.slice(2)).toEqual(['first', 'second'])
})

it('comes again in a later turn', async () => {
  atMs += 1_000
  expect(endOfTurn(atMs)).toBeUndefined()
  const one = endOfTurn(atMs)
  await one
  const other = endOfTurn(atMs)
  expect(one).toBeDefined()
  expect(other).toBeDefined()
  expect(other).not.toBe(one)
  await other
  await nextTurn()
})

it('is not waited for by a request that arrives alone', async () => {
  atMs += 1_000
  expect(endOfTurn(atMs)).toBeUndefined()
  expect(endOfTurn(atMs + 2)).toBeUndefined()
  const wait = endOfTurn(atMs + 2.1)
  expect(wait).toBeDefined()
  // Late, but another of its turn already waits.
  expect(endOfTurn(atMs + 9)).toBe(wait)
  await wait
})
