import { pairOf, type Dimension, type UsageGroup } from '../../../api/usage-queries.ts'

const totals = ['total_requests', 'total_tokens_in', 'total_tokens_out', 'total_cost_usd'] as const

/** A breakdown as CSV (RFC 4180), with the API's exact figures. */
export function tableCsv(groups: readonly UsageGroup[], by: readonly Dimension[]): string {
  const lines = groups.map((group) => [
    ...pairOf(group).slice(0, by.length),
    ...totals.map((name) => String(group[name])),
  ])
  return [[...by, ...totals], ...lines].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')
}

/**
 * Names come from API callers: one that a spreadsheet would evaluate as a formula gets an apostrophe
 * (OWASP, CSV injection).
 */
function cell(value: string | null): string {
  const text = value ?? ''
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
