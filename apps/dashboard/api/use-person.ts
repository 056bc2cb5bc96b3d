import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { currentOrganization } from './acting.ts'
import type { Schemas } from './client.ts'
import { accountQuery, personQuery } from './queries.ts'

/** The signed-in person, whichever account they act for. */
export function usePerson(): UseQueryResult<Schemas['Me']> {
  const isActing = currentOrganization() !== undefined
  const account = useQuery(accountQuery)
  const person = useQuery({ ...personQuery, enabled: isActing })
  return isActing ? person : account
}
