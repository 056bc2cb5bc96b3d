import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { ReadOns } from './read-ons.ts'

const hourMs = 60 * 60 * 1000

it('are so many at once, and each that is done makes room', () => {
  const readOns = new ReadOns(hourMs)
  const begun = Array.from({ length: 256 }, () => readOns.begin(() => undefined))
  expect(begun).not.toContain(undefined)
  expect(readOns.begin(() => undefined)).toBeUndefined()
  begun[7]!.done()
  begun[7]!.done()
  expect(readOns.size).toBe(255)
  const last = readOns.begin(() => undefined)
  expect(last).toBeDefined()
  expect(readOns.begin(() => undefined)).toBeUndefined()
  for (const one of [...begun, last]) one!.done()
  expect(readOns.size).toBe(0)
})

it('end once their time is over, and not after they are done', async () => {
  const readOns = new ReadOns(50)
  const ended: string[] = []
  readOns.begin(() => ended.push('long'))
  readOns.begin(() => ended.push('done'))!.done()
  await vi.waitFor(() => expect(ended).toEqual(['long']), { timeout: 10_000 })
  expect(readOns.size).toBe(0)
  await delay(100)
  expect(ended).toEqual(['long'])
})

it('end with the node, after which none begins', () => {
  const readOns = new ReadOns(hourMs)
  let ended = 0
  for (let count = 0; count < 3; count++) readOns.begin(() => ended++)
  readOns.close()
  expect([ended, readOns.size, readOns.begin(() => undefined)]).toEqual([3, 0, undefined])
})

it('are none where the operator wants none', () => {
  expect(new ReadOns(0).begin(() => undefined)).toBeUndefined()
})
