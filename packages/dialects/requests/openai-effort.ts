/** Weakest first. */
const order = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/**
 * The effort that comes nearest to the wish among those that the model knows, which refuses any other.
 * @param known weakest first; undefined: nothing is known of the model
 */
export function fittingEffort(known: readonly string[] | undefined, wish: string): string {
  // The strongest of Anthropic's is one more than most of OpenAI's models know.
  if (known === undefined) return wish === 'max' ? 'xhigh' : wish
  const rank = order.indexOf(wish)
  if (rank === -1) return wish
  return known.findLast((one) => order.indexOf(one) <= rank) ?? known[0]!
}

/** Tokens to think for, and the effort that comes nearest to them. */
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
