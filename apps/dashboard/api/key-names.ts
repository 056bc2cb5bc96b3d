import { useQuery } from '@tanstack/react-query'
import { accountQuery, keysQuery } from './queries.ts'

/** The names of an account's keys, by their identifiers: of the playground's too, which is on no list. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const { data: keys } = useQuery(keysQuery)
  const { data: account } = useQuery(accountQuery)
  const names = new Map(keys?.data.map(({ id, name }) => [id, name]))
  const own = account?.playground_key_id ?? null
  if (own !== null) names.set(own, 'Playground')
  return names
}
