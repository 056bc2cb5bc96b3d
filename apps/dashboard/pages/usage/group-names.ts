import { useKeyNames } from '../../api/key-names.ts'
import { memberName, useMembers, useProjects } from '../../api/team.ts'
import { endpointNames, operationNames } from '../../filters/endpoints.ts'
import { longDayOf, longHourOf } from '../../format/time.ts'
import { tagKeyOf, type NamedDimension, type UsageDimension } from './usage-search.ts'

const nameless: Record<NamedDimension, string> = {
  tag: 'untagged',
  model: 'none',
  key: 'no key',
  member: 'the organization’s own',
  project: 'in no project',
  provider: 'none',
  tier: 'not routed',
  endpoint: 'unknown',
  operation: 'unknown',
  day: 'no day',
  hour: 'no hour',
}

const names: Record<NamedDimension, string> = {
  tag: 'Tag',
  model: 'Model',
  key: 'Key',
  member: 'Member',
  project: 'Project',
  provider: 'Provider',
  tier: 'Tier',
  endpoint: 'Endpoint',
  operation: 'Operation',
  day: 'Day',
  hour: 'Hour',
}

/** The name of the group of requests without a value. */
export function namelessOf(dimension: UsageDimension): string {
  const key = tagKeyOf(dimension)
  return key === undefined ? nameless[dimension as NamedDimension] : `without ${key}`
}

/** The column head of a dimension; tag keys are shown as callers write them. */
export function dimensionName(dimension: UsageDimension): string {
  return tagKeyOf(dimension) ?? names[dimension as NamedDimension]
}

/** The same within a sentence. */
export function dimensionWord(dimension: UsageDimension): string {
  return tagKeyOf(dimension) ?? names[dimension as NamedDimension].toLowerCase()
}

/** The group itself if it has no known name. */
function nameIn(known: Readonly<Record<string, string>>, group: string): string {
  return known[group] ?? group
}

/**
 * Returns a function that names groups: keys, members and projects by their names.
 * @param shown the dimensions whose groups are named
 */
export function useGroupNames(
  ...shown: readonly (UsageDimension | undefined)[]
): (dimension: UsageDimension, group: string | null) => string {
  const keyNames = useKeyNames()
  const members = useMembers(shown.includes('member'))
  const projects = useProjects(shown.includes('project'))
  return (dimension, group) => {
    if (group === null) return namelessOf(dimension)
    if (dimension === 'day') return longDayOf(group)
    if (dimension === 'hour') return longHourOf(group)
    if (dimension === 'endpoint') return nameIn(endpointNames, group)
    if (dimension === 'operation') return nameIn(operationNames, group)
    if (dimension === 'member') {
      const found = members.find(({ id }) => id === group)
      return found === undefined ? group : memberName(found)
    }
    if (dimension === 'project') return projects.find(({ id }) => id === group)?.name ?? group
    if (dimension !== 'key') return group
    return keyNames.get(group) ?? group
  }
}
