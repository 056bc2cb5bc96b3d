import { fieldPath } from '@turnpike/dialects'

/** The path of the first string in a JSON value that is not valid Unicode; for a key, its object's path. */
export function loneSurrogatePath(value: unknown): string | undefined {
  const path = find(value)
  return path === undefined ? undefined : fieldPath(path.toReversed())
}

/** Returns the path in reverse, and allocates nothing for valid values. The caller bounds the depth. */
function find(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return findInList(value)
  for (const key of Object.keys(value)) {
    if (!key.isWellFormed()) return []
    const found = find((value as Record<string, unknown>)[key])
    if (found === undefined) continue
    found.push(key)
    return found
  }
  return undefined
}

function findInList(list: readonly unknown[]): string[] | undefined {
  for (let index = 0; index < list.length; index++) {
    const found = find(list[index])
    if (found === undefined) continue
    found.push(String(index))
    return found
  }
  return undefined
}
