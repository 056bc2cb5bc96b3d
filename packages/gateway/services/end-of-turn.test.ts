import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { endOfTurn } from './end-of-turn.ts'

let atMs = 0

/** Forty requests, evenly spaced; returns what the last of them waits for. */
function lastOfForty(gapMs: number): Promise<void> | undefined {
  let wait: Promise<void> | undefined
  for (let index = 0; index < 40; index++) {
    atMs += gapMs
    wait = endOfTurn(atMs)
  }
  return wait
}

// Each test begins after requests that arrived alone, and nothing waits.
beforeEach(async () => {
  await lastOfForty(1_000)
  await nextTurn()
})

it('comes after all that is handed over in the turn, once for all that wait for it', async () => {
  expect(lastOfForty(0.1)).toBeDefined()
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
  const one = lastOfForty(0.1)
  await one
  const other = lastOfForty(0.1)
  expect(one).toBeDefined()
  expect(other).toBeDefined()
  expect(other).not.toBe(one)
  await other
})

it('is not waited for while requests arrive alone', () => {
  expect(lastOfForty(2)).toBeUndefined()
})

it('is not waited for after a single pair of requests', () => {
  atMs += 2
  expect(endOfTurn(atMs)).toBeUndefined()
  expect(endOfTurn(atMs + 0.1)).toBeUndefined()
})

it('is waited for soon after a long pause', () => {
  expect(lastOfForty(0.1)).toBeDefined()
  atMs += 3_600_000
  expect(lastOfForty(0.1)).toBeDefined()
})

it('is waited for in spite of one pause among many requests', () => {
  expect(lastOfForty(0.05)).toBeDefined()
  atMs += 3
  expect(endOfTurn(atMs)).toBeDefined()
})

it('is not waited for because a request comes long after later ones', () => {
  expect(lastOfForty(2)).toBeUndefined()
  expect(endOfTurn(atMs - 5_000)).toBeUndefined()
  expect(lastOfForty(2)).toBeUndefined()
  expect(endOfTurn(atMs - 5_000)).toBeUndefined()
  atMs += 2
  expect(endOfTurn(atMs)).toBeUndefined()
})
