const unitSeconds: Record<string, number> = { h: 3_600, d: 86_400, w: 7 * 86_400 }

/**
 * Parses an expiry: a duration such as `12h`, `30d` or `8w`, or a date such as `2027-01-31`.
 * @returns epoch seconds; undefined if it is neither, or a past date
 */
export function expiryOf(text: string, nowMs: number): number | undefined {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  if (count !== undefined) return Math.floor(nowMs / 1000) + Number(count) * unitSeconds[unit!]!
  const atMs = /^\d{4}-\d{2}-\d{2}([T ].*)?$/.test(text) ? Date.parse(text) : Number.NaN
  return atMs > nowMs ? Math.floor(atMs / 1000) : undefined
}
