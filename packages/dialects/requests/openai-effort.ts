/** Weakest first. */
const order = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']

/**
 * The effort that comes nearest to the wish among those that a model of OpenAI's knows, which refuses any
 * other (https://platform.openai.com/docs/guides/reasoning); of other models nothing is known.
 */
export function fittingEffort(model: string, wish: string): string {
  const known = effortsOf(model)
  // The strongest of Anthropic's is one more than the strongest of OpenAI's.
  const effort = wish === 'max' ? 'xhigh' : wish
  const rank = order.indexOf(effort)
  if (known === undefined || rank === -1) return effort
  return known.findLast((one) => order.indexOf(one) <= rank) ?? known[0]!
}

function effortsOf(name: string): readonly string[] | undefined {
  if (/^o[134](?:-|$)/.test(name)) return ['low', 'medium', 'high']
  const [, version, variant = ''] = /^gpt-(\d(?:\.\d+)?)(?:-([a-z-]*))?/.exec(name) ?? []
  if (version === undefined || Number(version) < 5) return undefined
  if (variant.startsWith('pro')) return version === '5' ? ['high'] : ['medium', 'high', 'xhigh']
  if (variant.startsWith('codex')) {
    const isStrong = variant.includes('max') || Number(version) >= 5.2
    return isStrong ? ['low', 'medium', 'high', 'xhigh'] : ['low', 'medium', 'high']
  }
  if (version === '5') return ['minimal', 'low', 'medium', 'high']
  if (version === '5.1') return ['none', 'low', 'medium', 'high']
  return ['none', 'low', 'medium', 'high', 'xhigh']
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
