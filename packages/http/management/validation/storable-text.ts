/**
 * The path of the first text that PostgreSQL cannot store unchanged: U+0000, or half of a surrogate pair,
 * which has no UTF-8 encoding. Undefined if all texts are fine.
 */
export function unstorableText(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : undefined
  if (Array.isArray(value)) return firstOf(value, (_, index) => `${path}[${index}]`)
  if (typeof value === 'object' && value !== null) {
    const names = Object.keys(value)
    return firstOf(Object.values(value), (_, index) =>
      path === '' ? names[index]! : `${path}.${names[index]!}`,
    )
  }
  return undefined
}

function firstOf(values: unknown[], pathOf: (value: unknown, index: number) => string): string | undefined {
  for (const [index, value] of values.entries()) {
    const found = unstorableText(value, pathOf(value, index))
    if (found !== undefined) return found
  }
  return undefined
}
