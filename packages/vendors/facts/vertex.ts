import type { VendorFacts } from './facts.ts'
import { geminiFacts } from './gemini.ts'

/** Gemini models, at the prices of the global endpoint; Gemma is served under other names and prices. */
export const vertexFacts: VendorFacts = {
  ...geminiFacts,
  groups: geminiFacts.groups.filter((group) =>
    Object.keys(group.models).every((id) => id.startsWith('gemini')),
  ),
}
