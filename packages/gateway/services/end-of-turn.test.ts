import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { endOfTurn } from './end-of-turn.ts'

it('comes after all that is handed over in the turn, once for all that wait for it', async () => {
  const order: string[] = []
  const waits = ['first', 'second'].map((name) => endOfTurn().then(() => order.push(name)))
  expect(endOfTurn()).toBe(endOfTurn())
  process.nextTick(() => order.push('tick'))
  queueMicrotask(() => order.push('microtask'))
  await Promise.all(waits)
  expect(order.slice(0, 2).toSorted()).toEqual(['microtask', 'tick'])
  expect(order.slice(2)).toEqual(['first', 'second'])
})

it('comes again in a later turn', async () => {
  const one = endOfTurn()
  await one
  const other = endOfTurn()
  expect(other).not.toBe(one)
  await Promise.all([other, nextTurn()])
})
