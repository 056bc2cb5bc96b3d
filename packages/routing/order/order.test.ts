import { describe, expect, it } from 'vitest'
import { FastestFirst } from './fastest-first.ts'
import { Latency } from './latency.ts'
import { orderByWeight } from './by-weight.ts'

/** Mulberry32. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

describe('a random order by weight', () => {
  it('puts each first as often as its weight says', () => {
    const random = seeded(7)
    const first = [0, 0, 0]
    for (let round = 0; round < 10_000; round++) first[orderByWeight([6, 3, 1], random)[0]!]!++
    for (const [index, share] of [0.6, 0.3, 0.1].entries())
      expect(Math.abs(first[index]! / 10_000 - share)).toBeLessThan(0.02)
  })

  it('keeps those without weight at the end, in their order', () => {
    for (let round = 0; round < 20; round++) expect(orderByWeight([0, 5, 0])).toEqual([1, 0, 2])
    expect(orderByWeight([0, 0])).toEqual([0, 1])
  })
})

describe('the fastest first', () => {
  it('stays with its leader until another one is clearly faster', () => {
    const fastest = new FastestFirst()
    expect(fastest.order([100, 90])).toEqual([0, 1])
    expect(fastest.order([100, 79])).toEqual([1, 0])
    expect(fastest.order([70, 79])).toEqual([1, 0])
    expect(fastest.order([60, 79])).toEqual([0, 1])
  })

  it('begins as listed, and makes the first one with a known time its leader', () => {
    const fastest = new FastestFirst()
    expect(fastest.order([undefined, undefined])).toEqual([0, 1])
    expect(fastest.order([undefined, 500])).toEqual([1, 0])
    expect(fastest.order([undefined])).toEqual([0])
    expect(fastest.order([])).toEqual([])
  })

  it('tries the others now and then, the unknown ones first', () => {
    const fastest = new FastestFirst()
    const firsts = Array.from({ length: 100 }, () => fastest.order([10, undefined, 50])[0])
    expect(firsts.filter((index) => index === 1)).toHaveLength(5)
    const later = Array.from({ length: 80 }, () => fastest.order([10, 40, 50])[0])
    expect([1, 2].map((one) => later.filter((index) => index === one).length)).toEqual([2, 2])
  })
})

it('the average latency follows new values', () => {
  const latency = new Latency()
  expect(latency.averageMs).toBeUndefined()
  latency.add(100)
  expect(latency.averageMs).toBe(100)
  for (let round = 0; round < 30; round++) latency.add(500)
  expect(latency.averageMs).toBeGreaterThan(490)
})
