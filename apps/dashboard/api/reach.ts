import type { QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './api-failure.ts'

/*
 * Whether the gateway responds. While it does not, the data on screen is old, and the page must say so.
 */

/** Unix epoch milliseconds since the first failure; undefined: the gateway responds. */
let awaySinceMs: number | undefined
const listeners = new Set<() => void>()
/** How often to check while the gateway responds. A hidden page does not check. */
const lookMs = 10_000
/** How often to check while it does not. */
const lookAgainMs = 3_000
let looking: ReturnType<typeof setTimeout> | undefined

export function gatewayAwaySinceMs(): number | undefined {
  return awaySinceMs
}

export function subscribeToReach(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Watches the results of all queries, and also checks now and then: a page with fresh data sends no
 * requests. Once the gateway is back, everything on screen is requested again.
 */
export function watchReach(queryClient: QueryClient): void {
  lookLater(queryClient)
  const recordReach = (error: unknown): void => {
    if (error instanceof ApiFailure && error.isAway) setAway(queryClient)
    else if (error === null) setBack(queryClient)
  }
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    if (event.action.type === 'success' && event.action.manual !== true) recordReach(null)
    if (event.action.type === 'failed' || event.action.type === 'error') recordReach(event.action.error)
  })
  queryClient.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') recordReach(event.action.error)
  })
}

function setAway(queryClient: QueryClient): void {
  if (awaySinceMs !== undefined) return
  awaySinceMs = Date.now()
  lookLater(queryClient)
  tell()
}

function setBack(queryClient: QueryClient): void {
  if (awaySinceMs === undefined) return
  awaySinceMs = undefined
  tell()
  void queryClient.invalidateQueries()
}

function lookLater(queryClient: QueryClient): void {
  clearTimeout(looking)
  looking = setTimeout(() => void look(queryClient), awaySinceMs === undefined ? lookMs : lookAgainMs)
}

async function look(queryClient: QueryClient): Promise<void> {
  if (document.visibilityState === 'visible') {
    const response = await fetch('/healthz', { cache: 'no-store' }).catch(() => undefined)
    if (response?.ok === true) setBack(queryClient)
    else setAway(queryClient)
  }
  lookLater(queryClient)
}

function tell(): void {
  for (const listener of listeners) listener()
}
