import type { QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './api-failure.ts'

/*
 * Whether the gateway answers: what is shown while it does not is old, and has to say so.
 */

/** Unix epoch milliseconds since which nothing is heard; undefined: it answers. */
let awaySinceMs: number | undefined
const listeners = new Set<() => void>()
/** While it answers, and while it does not. A page that is not seen asks nothing. */
const lookMs = 10_000
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
 * Listens to all that is asked, and asks now and then itself: a page whose figures are fresh enough asks for
 * nothing. Once the gateway is back, everything that is shown is asked for again.
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
