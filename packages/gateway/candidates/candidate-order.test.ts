import { compilePricing } from '@turnpike/billing'
import { describe, expect, it } from 'vitest'
import { testBook, testModel, testProvider } from '../testing/candidates.ts'
import { CandidateOrder, type UpstreamOrder } from './candidate-order.ts'
import type { Candidate } from './candidate.ts'

const pricing = (prompt: string, completion: string) => ({ pricing: { prompt, completion } })

function candidatesOf(upstreams: object[], apiKeys: string[] = []): readonly Candidate[] {
  const own = testProvider('p', { apiKeys })
  const regions = ['east', 'west'].map((region) => ({ ...own, region }))
  const prices = new Map([['x/y', compilePricing({ prompt: '5', completion: '5' }, '1.0')]])
  const listed = upstreams.map((more, index) => ({ provider: 'p', model: `m${index}`, ...more }))
  return testBook([{ ...own, regions }], { prices, markup: '2.0' }).of(testModel('x/y', listed))
}

function ordered(order: CandidateOrder, candidates: readonly Candidate[]): string[] {
  return order
    .of(candidates, true)
    .map(({ upstream, credential }) => [upstream.model, ...credential.secrets()].join(' '))
}

const made = (order: UpstreamOrder): CandidateOrder => new CandidateOrder(order)

describe('the order of a model’s candidates', () => {
  it('is the list itself if there is only one candidate', () => {
    const one = candidatesOf([{}])
    expect(made('latency').of(one, true)).toBe(one)
  })

  it('follows the list, and rotates the keys of each upstream', () => {
    const order = made('listed')
    const candidates = candidatesOf([{}, {}], ['a', 'b'])
    expect(ordered(order, candidates)).toEqual(['m0 a', 'm0 b', 'm1 a', 'm1 b'])
    expect(ordered(order, candidates)).toEqual(['m0 b', 'm0 a', 'm1 b', 'm1 a'])
    expect(ordered(order, candidates)).toEqual(['m0 a', 'm0 b', 'm1 a', 'm1 b'])
  })

  it('is drawn by weights if the configuration has some', () => {
    const candidates = candidatesOf([{ weight: 1 }, { weight: 9 }, { weight: 0 }])
    const firsts = Array.from({ length: 200 }, () => ordered(made('listed'), candidates)[0])
    expect(firsts).not.toContain('m2')
    expect(firsts.filter((first) => first === 'm1').length).toBeGreaterThan(130)
  })

  it('draws a provider with several regions once, and keeps its regions in order', () => {
    const regions = ['east', 'west'].map((region) => ({ region, model: 'm', weight: 1 }))
    const candidates = candidatesOf([...regions, { weight: 1 }])
    const orders = Array.from({ length: 200 }, () =>
      made('listed')
        .of(candidates, true)
        .map(({ upstream }) => upstream.region ?? 'none'),
    )
    const shares = new Set(orders.map((order) => order.join(' ')))
    expect([...shares].toSorted()).toEqual(['east west none', 'none east west'])
    const first = orders.filter(([one]) => one === 'none').length
    expect(first).toBeGreaterThan(60)
    expect(first).toBeLessThan(140)
  })

  it('goes by price, with an upstream’s own prices before the model’s', () => {
    const candidates = candidatesOf([{}, pricing('1', '9'), pricing('4', '1')])
    expect(ordered(made('price'), candidates)).toEqual(['m1', 'm2', 'm0'])
    // Each has the markup.
    expect(candidates[1]!.prices.markup).toBe('2.0')
  })

  it('goes by the time to the first token, separately for streams and plain answers', () => {
    const candidates = candidatesOf([{}, {}])
    const [first, second] = candidates
    first!.health.latency.stream.add(900)
    second!.health.latency.stream.add(100)
    const order = made('latency')
    expect(ordered(order, candidates)).toEqual(['m1', 'm0'])
    expect(order.of(candidates, false).map(({ upstream }) => upstream.model)).toEqual(['m0', 'm1'])
  })
})
