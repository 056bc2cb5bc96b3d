/** Weakest first. */
const order = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/**
 * The effort nearest to the requested one among those that the model accepts; it refuses any other.
 * @param known weakest first; undefined: not known for this model
 */
export function fittingEffort(known: readonly string[] | undefined, wish: string): string {
  // Anthropic's strongest effort is one above what most of OpenAI's models have.
  if (known === undefined) return wish === 'max' ? 'xhigh' : wish
  const rank = order.indexOf(wish)
  if (rank === -1) return wish
  return known.findLast((one) => order.indexOf(one) <= rank) ?? known[0]!
}

/** Thinking budgets in tokens, and the nearest effort. */
const efforts: [upTo: number, effort: string][] = [
  [0, 'none'],
  [4_096, 'low'],
  [16_384, 'medium'],
  [Number.POSITIVE_INFINITY, 'high'],
]

export function effortOfBudget(budgetTokens: number | undefined): string | undefined {
  if (budgetTokens === undefined) return undefined
  return efforts.find(([upTo]) => budgetTokens <= upTo)![1]
}
