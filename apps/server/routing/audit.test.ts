import type { RouteRecord } from '@turnpike/gateway'
import { applyCorrection, tiers, type Tier } from '@turnpike/routing'
import { expect, it } from 'vitest'
import {
  ask,
  assistant,
  call,
  fourTiers,
  image,
  result,
  says,
  sendBackForty,
  tools,
  user,
} from './testing/four-tiers.ts'
import { suiteKey, suiteNode, suiteVendor } from '../../../tests/nodes/suite.ts'

const vendor = suiteVendor()

const node = suiteNode(() => ({ ...fourTiers(vendor), routing: { auto: { calibration: 'on' as const } } }))
const key = suiteKey(node)

interface Row {
  tier: Tier
  model_served: string
  route: RouteRecord
}

/** Decides again from the row alone, following the documentation of `RouteRecord`. */
function wantedAnew(route: RouteRecord): Tier {
  const own = Object.fromEntries(tiers.map((tier, index) => [tier, route.probabilities[index]!]))
  const probabilities = own as Record<Tier, number>
  const scored = cheapest(probabilities, route)
  expect(scored).toBe(route.scored)
  const calibrated =
    route.correction === null ? null : cheapest(applyCorrection(probabilities, route.correction), route)
  expect(calibrated).toBe(route.calibrated)
  const basis = route.calibration === 'on' ? calibrated! : scored
  const kept = route.kept === null ? basis : route.conversation!
  if (route.escalated === null) return kept
  const from = Math.max(tiers.indexOf(kept), tiers.indexOf(route.conversation ?? kept))
  return tiers[Math.min(from + 1, tiers.length - 1)]!
}

function cheapest(probabilities: Record<Tier, number>, { delta, confident }: RouteRecord): Tier {
  const best = Math.max(...Object.values(probabilities))
  const tier = tiers.find((one) => probabilities[one] >= best - delta)!
  return tier === 'SIMPLE' && !confident ? 'MEDIUM' : tier
}

const hard =
  'Prove that there are infinitely many primes congruent to 3 modulo 4, and then bound how many of them ' +
  'lie below n, with all constants explicit; discuss whether the bound is tight and give a ' +
  'counterexample if not.'

/** The conversations of a day, as one request after the other. */
function day(): object[] {
  const failing = [call('x', 'same'), result('x', 'error: no such file')]
  const stalled = [user('run the tests'), ...failing, ...failing, ...failing]
  const answered = [user(hard), assistant('First, …')]
  return [
    says('hi'),
    { ...says('hi'), tools },
    { ...says('translate "house" to French'), model: 'auto-eco' },
    { ...says(hard), model: 'turnpike/auto-premium' },
    says('ღმერთო ჩემო რა არის ეს ყველაფერი'),
    says(hard),
    { messages: [...answered, user('go on')] },
    { messages: [...answered, user('thanks')] },
    { messages: [user([{ type: 'text', text: 'what is this?' }, image()])] },
    { ...says('hello'), metadata: { retry_of: 'req_1' } },
    { ...says('hello'), metadata: { retry_of: 'req_2' } },
    { messages: stalled, tools },
    { messages: [...stalled, call('y'), result('y', 'ok')], tools },
  ]
}

/** Sends the requests one after the other, because some depend on earlier answers. */
async function sendAll(bodies: object[]): Promise<string[]> {
  const ids: string[] = []
  for (const body of bodies) {
    const { status, id } = await ask(node, key, body)
    expect(status).toBe(200)
    ids.push(id)
  }
  return ids
}

it('the decision can be recomputed from each row, with its reasons', async () => {
  const first = await sendAll(day())
  await sendBackForty(node, key)
  // Now the account's earlier outcomes count as well.
  const ids = [...first, ...(await sendAll(day()))]
  const rows = await Promise.all(
    ids.map((id) => node.admin<Row>(`/accounts/${key.accountId}/usage/requests/${id}`)),
  )
  for (const { route, model_served: served, tier } of rows) {
    expect(wantedAnew(route)).toBe(route.wanted)
    // All models answer, so the first of the order has: the cheapest model of its tier.
    expect([served, tier]).toEqual([route.ranking[0], route.tiers[0]])
    const ofTier = route.expected.filter((_, index) => route.tiers[index] === route.tiers[0]).map(Number)
    if (route.conversation === null) expect(ofTier[0]).toBe(Math.min(...ofTier))
    if (route.tiers[0] !== route.wanted) expect(Object.keys(route.left)).not.toEqual([])
    const explained = route.wanted !== route.scored || route.kept !== null || route.tiers[0] !== route.wanted
    expect(route.because.length > 0).toBe(explained)
  }
  // The days contain decisions that were not obvious.
  const decisions = rows.map(({ route }) => `${route.scored} ${route.calibrated} ${route.wanted}`)
  expect(new Set(decisions).size).toBeGreaterThan(5)
})
