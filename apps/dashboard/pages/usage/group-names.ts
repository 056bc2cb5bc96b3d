import { useQuery } from '@tanstack/react-query'
import { keysQuery } from '../../api/queries.ts'
import { endpointNames, operationNames } from '../../filters/endpoints.ts'
import { longDayOf } from '../../format/time.ts'
import type { UsageDimension } from './usage-search.ts'

/** What a group without a name is called. */
export const nameless: Record<UsageDimension, string> = {
  tag: 'untagged',
  model: 'none reached',
  key: 'no key',
  provider: 'none reached',
  tier: 'not routed',
  endpoint: 'unknown',
  operation: 'unknown',
  day: 'no day',
}

export const dimensionNames: Record<UsageDimension, string> = {
  tag: 'Tag',
  model: 'Model',
  key: 'Key',
  provider: 'Provider',
  tier: 'Tier',
  endpoint: 'Endpoint',
  operation: 'Operation',
  day: 'Day',
}

/** The group itself where this page knows no name of it. */
function nameIn(names: Readonly<Record<string, string>>, group: string): string {
  return names[group] ?? group
}

/** How groups are called: keys by the names that their owner gave them. */
export function useGroupNames(): (dimension: UsageDimension, group: string | null) => string {
  const { data: keys } = useQuery(keysQuery)
  return (dimension, group) => {
    if (group === null) return nameless[dimension]
    if (dimension === 'day') return longDayOf(group)
    if (dimension === 'endpoint') return nameIn(endpointNames, group)
    if (dimension === 'operation') return nameIn(operationNames, group)
    if (dimension !== 'key') return group
    return keys?.data.find(({ id }) => id === group)?.name ?? group
  }
}
