import { useSyncExternalStore } from 'react'
import type { Schemas } from './client.ts'

/**
 * Raw keys that were created in this tab, by ID, for the first snippets and the playground. They only exist
 * in memory and are gone with the page; the API never returns them again.
 */
let rawKeys: ReadonlyMap<string, string> = new Map()
const listeners = new Set<() => void>()

export function rememberRawKey(made: Schemas['CreatedKey']): void {
  rawKeys = new Map([...rawKeys, [made.id, made.raw]])
  for (const listener of listeners) listener()
}

export function useRawKeys(): ReadonlyMap<string, string> {
  return useSyncExternalStore(subscribe, () => rawKeys)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
