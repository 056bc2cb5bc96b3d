import { useSyncExternalStore } from 'react'
import { playground, type PlaygroundState } from './store.ts'

/** The current state of the page. */
export function usePlayground(): PlaygroundState {
  return useSyncExternalStore(playground.subscribe, playground.read)
}
