/** Whether something stands where a count belongs, and is none: a negative number, half a token, 1e308. */
export function isMiscount(value: unknown): boolean {
  return value !== undefined && value !== null && tokenCount(value) === undefined
}

/**
 * A count as vendors write it: a whole number, or one as text, as protobuf's JSON has its longer integers
 * (https://protobuf.dev/programming-guides/json/). Anything else is none, so that nobody takes it for zero.
 */
export function tokenCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}
