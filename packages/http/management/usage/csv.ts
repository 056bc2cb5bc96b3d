import { formatUsd } from '@turnpike/billing'
import type { RequestRecord } from '@turnpike/gateway'
import { operationByEndpoint } from '@turnpike/protocol'
import { epochSeconds } from '../validation/fields.ts'

type Cell = string | number | boolean | null

/** The columns of an export, in order. Never reorder: people's imports count them. New ones go to the end. */
const columns: Record<string, (record: RequestRecord) => Cell> = {
  id: (record) => record.id,
  created_at: (record) => epochSeconds(record.startedAtMs),
  account_id: (record) => record.accountId,
  key_id: (record) => record.keyId,
  endpoint: (record) => record.endpoint,
  stream: (record) => record.stream,
  // A JSON array: a tag may hold any character, so every plain separator could be part of one.
  tags: (record) => JSON.stringify(record.tags),
  model_asked: (record) => record.modelAsked,
  model_served: (record) => record.modelServed,
  provider: (record) => record.provider,
  tier: (record) => record.tier,
  attempts: (record) => record.attempts.length,
  outcome: (record) => record.outcome,
  status: (record) => record.status,
  error_type: (record) => record.errorType,
  tokens_in: (record) => record.tokensIn,
  tokens_out: (record) => record.tokensOut,
  cost_usd: (record) => formatUsd(record.chargePico),
  latency_ms: (record) => record.durationMs,
  time_to_first_token_ms: (record) => record.firstTokenMs,
  operation: (record) => operationByEndpoint[record.endpoint],
  paid_by: (record) => record.paidBy ?? null,
  error_param: (record) => record.errorParam ?? null,
}

const lineEnd = '\r\n'

export const csvHeader = Object.keys(columns).join(',') + lineEnd

const cells = Object.values(columns)

/** One line of RFC 4180, its end included. */
export function csvLine(record: RequestRecord): string {
  return cells.map((cell) => csvCell(cell(record))).join(',') + lineEnd
}

export function csvCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const text = harmless(value)
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * A spreadsheet runs a cell that begins with one of these as a formula, and callers choose their tags and
 * model names: an apostrophe before it makes it text (https://owasp.org/www-community/attacks/CSV_Injection).
 * Also behind what a spreadsheet set to another separator takes for the beginning of a cell.
 */
function harmless(text: string): string {
  return text.replaceAll(/(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠\t\r])/g, "'")
}
