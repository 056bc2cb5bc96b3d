import type { Attempt } from '../context/stages.ts'

/** A header, and a row, of so many is long enough to be read. */
const mostPaths = 20
/** A path may end in a name that the caller made up. */
const mostCharacters = 100

const nothing: readonly string[] = []

/**
 * What was left out for the vendor that is asked, by its paths in the caller's own body: `top_k`, `tools[2]`.
 * In what a path may not hold in a header, or between commas, stands a percent sign and the bytes' numbers.
 */
export function droppedPaths({ dropped, request: { format, call } }: Attempt): readonly string[] {
  if (dropped.length === 0) return nothing
  const told = new Set<string>()
  let looked = 0
  // To find a path in the caller's words may be to walk the whole body.
  for (; looked < dropped.length && told.size < mostPaths; looked++) {
    const param = dropped[looked]!
    told.add(printable(format.fieldPath?.(param, call.body) ?? param))
  }
  const more = dropped.length - looked
  return more === 0 ? [...told] : [...told, `and ${more} more`]
}

function printable(path: string): string {
  const short = path.length > mostCharacters ? `${path.slice(0, mostCharacters)}...` : path
  return short.replaceAll(/[^\x21-\x7e]+|[,%"]/g, (part) => encodeURIComponent(part.toWellFormed()))
}
