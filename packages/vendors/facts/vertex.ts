import type { VendorFacts } from './facts.ts'
import { geminiFacts } from './gemini.ts'

/** Gemini, at the global endpoint's prices. Gemma's names and prices differ, and embedding requests too. */
export const vertexFacts: VendorFacts = {
  ...geminiFacts,
  groups: geminiFacts.groups
    .filter(
      ({ models, operations }) =>
        operations === undefined && Object.keys(models).every((id) => id.startsWith('gemini')),
    )
    .map((group) => ({ ...group, regional: { known: ['global'] } })),
}
