import { tagKeyOf, type UsageDimension } from './usage-search.ts'

/** Nobody reads a longer list. */
const maxKeys = 20
const maxKeyLength = 63

/**
 * The keys of tags such as `team:search`, in the order of the tags: the costliest first.
 * @param chosen dimensions whose keys are always included
 */
export function tagKeysOf(
  tags: readonly string[],
  chosen: readonly (UsageDimension | undefined)[] = [],
): string[] {
  const own = chosen.flatMap((dimension) => (dimension === undefined ? [] : (tagKeyOf(dimension) ?? [])))
  const found = tags.flatMap((tag) => /^([^:]*[^:\s]):\S/.exec(tag)?.[1] ?? [])
  const fitting = found.filter((key) => key.trim() === key && Array.from(key).length <= maxKeyLength)
  return [...new Set([...own, ...fitting])].slice(0, maxKeys)
}
