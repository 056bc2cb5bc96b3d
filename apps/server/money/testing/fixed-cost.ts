import { parseUsd } from '@turnpike/billing'
import type { TestKey, TestNode } from '../../../../tests/nodes/test-node.ts'
import { echoing } from '../../../../tests/nodes/vendor-fleet.ts'

const completionPrice = '0.00001'
const outputTokens = 30

/** A gateway whose model `vendor/echo` has free input. */
export const fixedCost = echoing(completionPrice)

/** The hold of a request, and its charge: a request produces all the output that it allows. */
export const requestPico = BigInt(outputTokens) * parseUsd(completionPrice)

/** @param pace of the answer: `60/s` for 60 tokens a second; 0 for no delay */
export const requestBody = (pace = '0') => ({
  model: 'vendor/echo',
  max_completion_tokens: outputTokens,
  messages: [{ role: 'user', content: `go on [sandbox: tokens=${outputTokens} pace=${pace}]` }],
})

export async function statusOf(node: TestNode, key: TestKey, more: object = {}): Promise<number> {
  const response = await node.chat(key, { ...requestBody(), ...more })
  await response.text()
  return response.status
}
