import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { BackgroundReads } from './background-reads.ts'

const hourMs = 60 * 60 * 1000

it('are limited in number, and each that finishes makes room for another', () => {
  const readOns = new BackgroundReads(hourMs)
  const begun = Array.from({ length: 256 }, () => readOns.startRead(() => undefined))
  expect(begun).not.toContain(undefined)
  expect(readOns.startRead(() => undefined)).toBeUndefined()
  begun[7]!.finish()
  begun[7]!.finish()
  expect(readOns.size).toBe(255)
  const last = readOns.startRead(() => undefined)
  expect(last).toBeDefined()
  expect(readOns.startRead(() => undefined)).toBeUndefined()
  for (const one of [...begun, last]) one!.finish()
  expect(readOns.size).toBe(0)
})

it('end when their time is up, but not after they have finished', async () => {
  const readOns = new BackgroundReads(50)
  const ended: string[] = []
  readOns.startRead(() => ended.push('long'))
  readOns.startRead(() => ended.push('done'))!.finish()
  await vi.waitFor(() => expect(ended).toEqual(['long']), { timeout: 10_000 })
  expect(readOns.size).toBe(0)
  await delay(100)
  expect(ended).toEqual(['long'])
})

it('end when the node stops, and none begins after that', () => {
  const readOns = new BackgroundReads(hourMs)
  let ended = 0
  for (let count = 0; count < 3; count++) readOns.startRead(() => ended++)
  readOns.close()
  expect([ended, readOns.size, readOns.startRead(() => undefined)]).toEqual([3, 0, undefined])
})

it('do not happen if the operator turned them off', () => {
  expect(new BackgroundReads(0).startRead(() => undefined)).toBeUndefined()
})
