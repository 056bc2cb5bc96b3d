import { expect, test } from 'vitest'
import { costOf, startFaultNode } from './fault-node.ts'
import { openaiError } from './faulty-vendor.ts'
import { suiteWorld } from '../nodes/suite.ts'

/** Tests `routing.order: price` at a real server. `latency` is tested elsewhere, with a simulated clock. */

const dear = { prompt: '0.000009', completion: '0.000009' }
const cheap = { prompt: '0.000001', completion: '0.000001' }
/** The least number of output tokens that a hold covers. */
const heldTokens = 4_096

const world = await suiteWorld(
  startFaultNode(new Map(), (urlOf) => ({
    routing: { order: 'price', breaker: { enabled: false } },
    providers: {
      dear: { style: 'openai', base_url: urlOf('dear') },
      cheap: { style: 'openai', base_url: urlOf('cheap') },
    },
    models: {
      'a/b': {
        upstreams: [
          { provider: 'dear', model: 'echo', pricing: dear },
          { provider: 'cheap', model: 'echo', pricing: cheap },
        ],
      },
    },
  })),
)

test('the cheapest upstream serves at its price, and the hold covers the most expensive', async () => {
  const { row } = await world.ask({ model: 'a/b' })
  expect(row).toMatchObject({ provider: 'cheap', cost_usd: costOf(row, cheap) })
  expect(Number(row.hold_usd)).toBeGreaterThan(heldTokens * Number(dear.completion))
  world.misbehaviours.set('cheap', openaiError(500, null))
  const fell = await world.ask({ model: 'a/b' })
  expect(fell.row).toMatchObject({ provider: 'dear', cost_usd: costOf(fell.row, dear) })
})
