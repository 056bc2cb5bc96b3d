import { fieldPath } from '@turnpike/dialects'

/** Path of the first text in a JSON value that is not well-formed Unicode; for a key, of what holds it. */
export function loneSurrogatePath(value: unknown): string | undefined {
  const path = find(value, [])
  return path === undefined ? undefined : fieldPath(path)
}

/** Depth is bounded by the caller, so recursion is safe. */
function find(value: unknown, path: string[]): string[] | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, child] of Object.entries(value)) {
    if (!key.isWellFormed()) return path
    const found = find(child, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}
