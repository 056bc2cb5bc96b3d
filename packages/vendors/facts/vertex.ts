import type { VendorFacts } from './facts.ts'
import { geminiFacts } from './gemini.ts'

/**
 * Gemini models, at the prices of the global endpoint; Gemma is served under other names and prices, and
 * vectors are asked for in another way.
 */
export const vertexFacts: VendorFacts = {
  ...geminiFacts,
  groups: geminiFacts.groups
    .filter(
      ({ models, operations }) =>
        operations === undefined && Object.keys(models).every((id) => id.startsWith('gemini')),
    )
    .map((group) => ({ ...group, regional: { known: ['global'] } })),
}
