/** What an MCP app can be allowed to do, in words for the person who decides. */
export const mcpScopes = {
  'usage:read':
    'See your balance, your usage and costs, your budgets and models, and the names and limits of your API ' +
    'keys',
  'alerts:read': 'See your alerts and events, and whether emails and webhooks were delivered',
  'keys:write':
    'Create, change and revoke your API keys. Anyone with a key can spend its credit, even after this ' +
    'app is disconnected',
  'budgets:write':
    'Create, change and delete budgets, which includes raising or removing your spending limits',
  'topup:write': 'Start a top-up: this returns a checkout link and never pays',
  chat: 'Send prompts to models, paid from your credit',
} as const satisfies Record<string, string>

export type McpScope = keyof typeof mcpScopes

/** In the order in which people see them. */
export const mcpScopeNames = Object.keys(mcpScopes) as McpScope[]

export function isMcpScope(name: string): name is McpScope {
  return Object.hasOwn(mcpScopes, name)
}
