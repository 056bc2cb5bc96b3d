/** Whether a count is present but invalid: a negative number, half a token, 1e308. */
export function isMiscount(value: unknown): boolean {
  return value !== undefined && value !== null && tokenCount(value) === undefined
}

/**
 * Reads a count as vendors write it: a whole number, or a string, since protobuf's JSON writes 64-bit
 * integers as strings (https://protobuf.dev/programming-guides/json/). Anything else is undefined, so that it
 * is not read as zero.
 */
export function tokenCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}
