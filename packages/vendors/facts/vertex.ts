import type { VendorFacts } from './facts.ts'
import { geminiFacts } from './gemini.ts'

/**
 * Gemini models, at the prices of the global endpoint. Gemma has other names and prices there, and embeddings
 * use another request.
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
