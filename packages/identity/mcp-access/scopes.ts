/** What an app that came by MCP may be allowed, each in words for the person who is asked. */
export const mcpScopes = {
  'usage:read':
    'See your balance, your usage and costs, your budgets and models, and the names and limits of your API ' +
    'keys',
  'alerts:read': 'See your alerts, what you were told of and when, and whether mail and webhooks arrived',
  'keys:write':
    'Make, change and revoke your API keys; whoever has a key spends the credit on it, also once this ' +
    'app is gone',
  'budgets:write': 'Make, change and end budgets: it can raise or lift what limits your spending',
  'topup:write': 'Start a top-up: this returns a checkout address, it never pays',
  chat: 'Send prompts to models, paid from your credit',
} as const satisfies Record<string, string>

export type McpScope = keyof typeof mcpScopes

/** In the order in which people are asked for them. */
export const mcpScopeNames = Object.keys(mcpScopes) as McpScope[]

export function isMcpScope(name: string): name is McpScope {
  return Object.hasOwn(mcpScopes, name)
}
