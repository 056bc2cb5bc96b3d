import { useSyncExternalStore } from 'react'
import { playground, type PlaygroundState } from './store.ts'

/** What the page shows, as it is now. */
export function usePlayground(): PlaygroundState {
  return useSyncExternalStore(playground.subscribe, playground.read)
}
