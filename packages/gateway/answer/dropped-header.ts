import type { Attempt } from '../context/stages.ts'

/** A header of so many is long enough to be read. */
const mostPaths = 20
/** A path may end in a name that the caller made up. */
const mostCharacters = 100

/**
 * What was left out for the vendor that answered, by its paths in the caller's own body: `top_k, tools[2]`.
 * In what a path may not hold in a header, or between commas, stands a percent sign and the bytes' numbers.
 */
export function droppedHeader({ dropped, request: { format, call } }: Attempt): string {
  const paths = new Set<string>()
  for (const param of dropped) paths.add(printable(format.fieldPath?.(param, call.body) ?? param))
  const told = [...paths].slice(0, mostPaths)
  if (paths.size > mostPaths) told.push(`and ${paths.size - mostPaths} more`)
  return told.join(', ')
}

function printable(path: string): string {
  const short = path.length > mostCharacters ? `${path.slice(0, mostCharacters)}...` : path
  return short.replaceAll(/[^\x21-\x7e]+|[,%"]/g, (part) => encodeURIComponent(part.toWellFormed()))
}
