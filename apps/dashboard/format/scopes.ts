const words: Record<string, string> = {
  'usage:read': 'see usage',
  'alerts:read': 'see alerts',
  'keys:write': 'create keys',
  'budgets:write': 'change budgets',
  'topup:write': 'start top-ups',
  chat: 'send prompts',
}

/** What an app connected over MCP may do: `see usage, send prompts`. */
export function scopesText(scopes: readonly string[]): string {
  return scopes.map((scope) => words[scope] ?? scope).join(', ')
}
