import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loaded } from '../loaded.tsx'
import { Pager } from './pager.tsx'
import { Panel } from '../panel.tsx'
import { useTrail } from '../use-trail.ts'

interface PagedProps<Row> {
  query: Pick<UseQueryResult<{ data: Row[]; next_cursor: string | null }>, 'data' | 'error' | 'refetch'>
  /** The cursor of the current page; undefined: the first. */
  cursor: string | undefined
  /** Shown if there are no rows. */
  empty: ReactNode
  skeletonHeight: number
  children: (rows: Row[]) => ReactNode
}

/** A panel with one page of a cursor-paginated list. */
export function Paged<Row>({ query, cursor, empty, skeletonHeight, children }: PagedProps<Row>) {
  const { go, back } = useTrail(cursor)
  return (
    <Panel p={0}>
      <Loaded query={query} skeleton={<Skeleton height={skeletonHeight} />}>
        {({ data, next_cursor: next }) =>
          data.length === 0 ? (
            empty
          ) : (
            <>
              {children(data)}
              <Pager isFirst={cursor === undefined} next={next} onNewer={back} onGo={go} />
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}
