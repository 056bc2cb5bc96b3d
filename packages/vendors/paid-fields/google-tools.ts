import type { PaidField } from './paid-field.ts'

/** What a recorded search, or a search of stored files, added: some hundred tokens, at most thousands. */
const tokensOfSearch = 4_000

/**
 * Google's own tools (https://ai.google.dev/gemini-api/docs/pricing#pricing_for_tools). Searches are counted
 * by the queries that the answer lists; pages, files and code are tokens of the prompt. Not here: tools whose
 * number of uses no answer reports (maps, from Gemini 3 on billed by the query, and Vertex AI's search for
 * enterprises). Computer use and functions are run by the caller.
 */
export function googleTools(page: string): PaidField {
  return {
    field: 'tools',
    free: { each: { where: { type: ['function', 'custom', 'computerUse'] } } },
    served: [
      {
        types: ['googleSearch', 'googleSearchRetrieval'],
        chargedBy: 'web_search',
        brings: tokensOfSearch,
        unbounded: true,
      },
      { types: ['fileSearch'], brings: tokensOfSearch, unbounded: true },
      { types: ['urlContext'], brings: 'context', unbounded: true },
      { types: ['codeExecution'], runsCode: true },
    ],
    page,
  }
}
