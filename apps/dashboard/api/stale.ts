import type { QueryClient } from '@tanstack/react-query'

/** Which queries each change makes stale, by the first part of their keys. */
const staleAfter = {
  keys: ['keys', 'account', 'ledger'],
  credit: ['keys', 'account', 'topups', 'ledger', 'auto-topup'],
  apps: ['apps', 'sessions'],
  members: ['members', 'invitations', 'keys', 'organizations'],
  projects: ['projects'],
  budgets: ['budgets'],
  vendorKeys: ['vendor-keys'],
  alerts: ['alerts'],
  autoTopup: ['auto-topup'],
  account: ['account', 'login'],
  sessions: ['sessions', 'apps'],
  billing: ['billing'],
  log: ['log', 'account'],
  requests: ['keys', 'account', 'usage', 'requests', 'ledger', 'budgets'],
  operator: ['operator', 'keys', 'account', 'ledger'],
} as const

export function makeStale(queryClient: QueryClient, change: keyof typeof staleAfter): Promise<unknown> {
  return Promise.all(staleAfter[change].map((first) => queryClient.invalidateQueries({ queryKey: [first] })))
}
