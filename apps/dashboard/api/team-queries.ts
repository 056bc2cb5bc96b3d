import { queryOptions, useQuery } from '@tanstack/react-query'
import { actedOrganization } from './acting.ts'
import { api, bodyOf, type Schemas } from './client.ts'

type Member = Schemas['Member']
type Project = Schemas['Project']

interface PageOf<Row> {
  data: Row[]
  next_cursor: string | null
}

/** As many as one answer holds. */
const atOnce = 200

/** All of them, page by page: names stand for members and projects everywhere. */
export async function allOf<Row>(
  ask: (query: { limit: number; cursor?: string }) => Promise<PageOf<Row>>,
): Promise<{ data: Row[] }> {
  const data: Row[] = []
  let cursor: string | null = null
  do {
    const page: PageOf<Row> = await ask({ limit: atOnce, ...(cursor !== null && { cursor }) })
    data.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return { data }
}

/** Of an organization, those who were removed included. */
export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) =>
    allOf<Member>((query) => bodyOf(api.GET('/api/v1/organization/members', { params: { query }, signal }))),
})

/** Those that were archived included. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) =>
    allOf<Project>((query) => bodyOf(api.GET('/api/v1/projects', { params: { query }, signal }))),
})

/**
 * Members by their identifiers; none of a person's own account.
 * @param isWanted false: they are not asked for
 */
export function useMembers(isWanted = true): readonly Member[] {
  const { data } = useQuery({ ...membersQuery, enabled: isWanted && actedOrganization() !== undefined })
  return data?.data ?? []
}

export function useProjects(isWanted = true): readonly Project[] {
  const { data } = useQuery({ ...projectsQuery, enabled: isWanted })
  return data?.data ?? []
}

/** Addresses are told to those who look after members; a name is told to all. */
export function memberName({ name, email, id }: Pick<Member, 'name' | 'email' | 'id'>): string {
  return name ?? email ?? id
}
