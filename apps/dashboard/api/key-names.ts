import { useQuery } from '@tanstack/react-query'
import type { Schemas } from './client.ts'
import { accountQuery, keysQuery } from './queries.ts'

/**
 * The names of the account's own keys by ID, including the playground's key, which no list shows.
 * @param enabled false: the keys are not requested
 */
export function useKeyNames(enabled = true): ReadonlyMap<string, string> {
  const { data: keys } = useQuery({ ...keysQuery, enabled })
  const { data: account } = useQuery({ ...accountQuery, enabled })
  const names = namesOf(keys?.data ?? [])
  const own = account?.playground_key_id ?? null
  if (own !== null) names.set(own, 'Playground')
  return names
}

export function namesOf(keys: readonly Schemas['Key'][]): Map<string, string> {
  return new Map(keys.map(({ id, name }) => [id, name]))
}
