import { expect, it } from 'vitest'
import type { ConfigurationInput } from '../configuration/schema/schema.ts'
import { suiteVendor } from '../../../tests/nodes/suite.ts'
import { startTestNode } from '../../../tests/nodes/test-node.ts'
import { ask, fourTiers, model, says } from './testing/four-tiers.ts'

const vendor = suiteVendor()

/** The sandbox and a vendor with one model, which is more expensive. */
function withVendor(more: ConfigurationInput = {}): ConfigurationInput {
  const { providers, limits } = fourTiers(vendor)
  const models = { 'vendor/middle': model('0.00001', 'MEDIUM'), ...more.models }
  return { ...more, providers: { vendor: providers.vendor }, limits, models }
}

it.each<[string, () => ConfigurationInput, string]>([
  ['answers if there is no vendor', () => ({ providers: {} }), 'sandbox/lorem'],
  [
    'leaves the request to a vendor, even at a higher price and in another tier',
    () => withVendor(),
    'vendor/middle',
  ],
  [
    'leaves the request to a model that the configuration puts into another tier',
    () => withVendor({ routing: { auto: { tiers: { REASONING: ['vendor/middle'], MEDIUM: [] } } } }),
    'vendor/middle',
  ],
  [
    'answers if the configuration gives it a tier',
    () => withVendor({ models: { 'sandbox/lorem': { tiers: ['SIMPLE'] } } }),
    'sandbox/lorem',
  ],
  [
    'answers if a tier lists it',
    () => withVendor({ routing: { auto: { tiers: { SIMPLE: ['sandbox/lorem'] } } } }),
    'sandbox/lorem',
  ],
])('the sandbox %s', async (_what, input, served) => {
  const node = await startTestNode({ input: input() })
  try {
    expect((await ask(node, await node.createKey(), says('hi'))).model).toBe(served)
  } finally {
    await node.stop()
  }
})
