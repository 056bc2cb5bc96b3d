import { useQuery } from '@tanstack/react-query'
import { keysQuery } from '../../api/queries.ts'
import { longDayOf } from '../../format/time.ts'
import type { UsageDimension } from './usage-search.ts'

/** What a group without a name is called. */
export const nameless: Record<UsageDimension, string> = {
  tag: 'untagged',
  model: 'none reached',
  key: 'no key',
  provider: 'none reached',
  tier: 'not routed',
  day: 'no day',
}

export const dimensionNames: Record<UsageDimension, string> = {
  tag: 'Tag',
  model: 'Model',
  key: 'Key',
  provider: 'Provider',
  tier: 'Tier',
  day: 'Day',
}

/** How groups are called: keys by the names that their owner gave them. */
export function useGroupNames(): (dimension: UsageDimension, group: string | null) => string {
  const { data: keys } = useQuery(keysQuery)
  return (dimension, group) => {
    if (group === null) return nameless[dimension]
    if (dimension === 'day') return longDayOf(group)
    if (dimension !== 'key') return group
    return keys?.data.find(({ id }) => id === group)?.name ?? group
  }
}
