import { useSyncExternalStore } from 'react'

/**
 * Raw keys that were made in this tab, by their identifiers: for the first snippets and the playground. They
 * are in memory only, and go with the page; nobody can read them a second time.
 */
let rawKeys: ReadonlyMap<string, string> = new Map()
const listeners = new Set<() => void>()

export function rememberRawKey(id: string, raw: string): void {
  rawKeys = new Map([...rawKeys, [id, raw]])
  for (const listener of listeners) listener()
}

export function useRawKeys(): ReadonlyMap<string, string> {
  return useSyncExternalStore(subscribe, () => rawKeys)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
