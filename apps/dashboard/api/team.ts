import { useQuery } from '@tanstack/react-query'
import { currentOrganization } from './acting.ts'
import type { Schemas } from './client.ts'
import { membersQuery, projectsQuery } from './team-queries.ts'

type Member = Schemas['Member']
type Project = Schemas['Project']

/**
 * The members of the organization; empty for a person's own account.
 * @param isEnabled false: they are not requested
 */
export function useMembers(isEnabled = true): readonly Member[] {
  const { data } = useQuery({ ...membersQuery, enabled: isEnabled && currentOrganization() !== undefined })
  return data?.data ?? []
}

export function useProjects(isEnabled = true): readonly Project[] {
  const { data } = useQuery({ ...projectsQuery, enabled: isEnabled })
  return data?.data ?? []
}

/** Only roles that manage members see email addresses; everyone sees names. */
export function memberName({ name, email, id }: Pick<Member, 'name' | 'email' | 'id'>): string {
  return name ?? email ?? id
}
