import { tagKeyOf, type UsageDimension } from './usage-search.ts'

/** A list of more would not be read. */
const maxKeys = 20
const maxKeyLength = 63

/**
 * The keys of tags such as `team:search`, those of the costliest first.
 * @param chosen whose keys are among them in any case
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
