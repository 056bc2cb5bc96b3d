import { queryOptions } from '@tanstack/react-query'
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
