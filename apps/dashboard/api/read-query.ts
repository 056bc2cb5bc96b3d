import type { paths } from '@turnpike/api'
import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Asked } from './client.ts'

/** Paths of the management API that have a GET. */
type ReadPath = {
  [Path in keyof paths]: paths[Path] extends { get: unknown } ? Path : never
}[keyof paths]

type ParametersOf<Path extends ReadPath> = paths[Path] extends { get: { parameters: infer Parameters } }
  ? Parameters
  : object

/** The query parameters of a path. */
export type QueryOf<Path extends ReadPath> =
  ParametersOf<Path> extends { query?: infer Query } ? NonNullable<Query> : never

/** The body that a path returns. */
export type BodyOf<Path extends ReadPath> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

type Rest<Path extends ReadPath> =
  object extends ParametersOf<Path>
    ? [params?: ParametersOf<Path>, client?: typeof api]
    : [params: ParametersOf<Path>, client?: typeof api]

/**
 * A query that reads a path of the API.
 * @param queryKey a change makes it stale by its first part (`stale.ts`)
 * @param rest the path's parameters, and the client, if that is not `api`
 */
export function readQuery<Path extends ReadPath>(
  queryKey: readonly unknown[],
  path: Path,
  ...[params, client = api]: Rest<Path>
) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => bodyOf(get<BodyOf<Path>>(client, path, { params, signal })),
  })
}

interface PageOf<Row> {
  data: Row[]
  next_cursor: string | null
}

type RowOf<Path extends ReadPath> = BodyOf<Path> extends PageOf<infer Row> ? Row : never

/** A query that reads all rows of a list, page by page. */
export function readAllQuery<Path extends ReadPath>(
  queryKey: readonly unknown[],
  path: Path,
  parameters?: Omit<ParametersOf<Path>, 'query'>,
) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) =>
      allOf((query) => {
        const params = { ...parameters, query }
        return bodyOf(get<PageOf<RowOf<Path>>>(api, path, { params, signal }))
      }),
  })
}

/** The largest page that the API returns. */
const rowsAtOnce = 200

export async function allOf<Row>(
  ask: (page: { limit: number; cursor?: string }) => Promise<PageOf<Row>>,
  limit = rowsAtOnce,
): Promise<{ data: Row[] }> {
  const data: Row[] = []
  let cursor: string | null = null
  do {
    const page: PageOf<Row> = await ask({ limit, ...(cursor !== null && { cursor }) })
    data.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return { data }
}

/** The client's own types need a known path; callers are checked by the types above. */
function get<Body>(client: typeof api, path: ReadPath, init: object): Asked<Body> {
  return client.GET(path, init as never)
}
