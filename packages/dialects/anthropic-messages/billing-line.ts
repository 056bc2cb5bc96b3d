/**
 * A line that Claude Code writes for its vendor's billing: nothing for another model to read
 * (https://code.claude.com/docs/en/llm-gateway). It changes with the request, so that behind it nothing would
 * be found in another vendor's cache.
 */
const billingLine = 'x-anthropic-billing-header:'

export function isBillingLine(text: string): boolean {
  return text.startsWith(billingLine)
}

export function isBillingBlock(block: object): boolean {
  const { text } = block as { text?: unknown }
  return typeof text === 'string' && isBillingLine(text)
}
