/**
 * Prefix of a line that Claude Code writes for Anthropic's billing
 * (https://code.claude.com/docs/en/llm-gateway). Other models have no use for it. It changes with every
 * request, so nothing after it would ever be found in another vendor's cache.
 */
const billingLine = 'x-anthropic-billing-header:'

export function isBillingLine(text: string): boolean {
  return text.startsWith(billingLine)
}

export function isBillingBlock(block: object): boolean {
  const { text } = block as { text?: unknown }
  return typeof text === 'string' && isBillingLine(text)
}
