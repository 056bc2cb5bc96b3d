import type { ReadFacts } from '../facts/facts.ts'
import { ownTools } from '../paid-fields/paid-field.ts'
import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * A stream's last chunk always has the usage. "Incorrect role information" (1214) for the role `developer`:
 * https://github.com/vastsa/PI-Desktop/issues/30.
 */
export const vendor: Vendor = {
  name: 'zai',
  title: 'Z.ai',
  ...openaiCompatible,
  baseUrl: 'https://api.z.ai/api/paas/v4',
  takesStreamOptions: false,
  outputBoundField: 'max_tokens',
  refusesDeveloper: true,
  // https://docs.z.ai/guides/capabilities/struct-output: only `json_object`.
  schemas: 'instructed',
  variable: 'ZAI_API_KEY',
  documentation: 'https://docs.z.ai/api-reference/llm/chat-completion',
  paidFields: [ownTools('https://docs.z.ai/guides/overview/pricing')],
  otherHosts: /^open\.bigmodel\.cn$/,
  pricedBy: ['zai'],
}

export const facts: ReadFacts = async () => (await import('../facts/zai.ts')).zaiFacts
