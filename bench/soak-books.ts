import { formatUsd, parseUsd } from '@turnpike/billing'
import type { LoadVendor } from './client/journal.ts'
import { count } from './client/load.ts'
import type { SoakLoad } from './soak-load.ts'
import type { RunningTurnpike } from './subjects/turnpike.ts'

interface ExportRow {
  stream: boolean
  outcome: string
  error_type: string | null
  cost_usd: string
}

interface Summary {
  total_requests: number
  total_cost_usd: string
}

interface Verification {
  ok: boolean
  checked: number
  differences: unknown[]
}

/** What the clients saw, what the vendor saw and what the books say must be one story. */
export async function compareBooks(
  server: RunningTurnpike,
  vendor: LoadVendor,
  load: SoakLoad,
  granted: { keys: number; creditUsd: string },
): Promise<{ figures: string[]; failures: string[] }> {
  const { admin, accountId } = server
  const journal = await vendor.journal()
  const verification = await admin.get<Verification>('/ledger/verify')
  const summary = await admin.get<Summary>(`/accounts/${accountId}/usage`)
  const { balance_usd: balanceUsd } = await admin.get<{ balance_usd: string }>(`/accounts/${accountId}`)
  const rows = await exportedRows(server)
  const outcomes = new Map<string, number>()
  let costPico = 0n
  for (const { outcome, cost_usd: costUsd } of rows) {
    count(outcomes, outcome)
    costPico += parseUsd(costUsd)
  }
  const of = (outcome: string): number => outcomes.get(outcome) ?? 0
  const answered = (load.plain.statuses.get('200') ?? 0) + (load.streams.statuses.get('200') ?? 0)
  const aborted = load.plain.aborted + load.streams.aborted
  const spentPico = parseUsd(granted.creditUsd) * BigInt(granted.keys) - parseUsd(balanceUsd)
  const ourFailures = rows.filter(
    ({ outcome, error_type: type }) => outcome === 'failed' && type !== 'client_closed_request',
  ).length

  const figures = [
    `rows: ${[...outcomes].map(([outcome, times]) => `${times} ${outcome}`).join(', ')}; ` +
      `cost ${formatUsd(costPico)} USD`,
    `vendor: ${journal.requests} requests, ${journal.streamsCompleted} streams completed, ` +
      `${journal.streamsAborted} aborted`,
    `ledger/verify: ${verification.ok ? 'ok' : 'NOT OK'}, ${verification.checked} checked`,
  ]
  const charged = rows.length - of('failed')
  const failures = failing([
    [verification.ok, `ledger/verify has ${verification.differences.length} differences`],
    [ourFailures === 0, `${ourFailures} requests failed by our fault`],
    [
      parseUsd(summary.total_cost_usd) === costPico && spentPico === costPico,
      `costs differ: rows ${formatUsd(costPico)}, summary ${summary.total_cost_usd}, ` +
        `spent ${formatUsd(spentPico)}`,
    ],
    [
      summary.total_requests === charged,
      `summary counts ${summary.total_requests} requests, rows ${charged}`,
    ],
    // A client that leaves may do so when its answer is already on the way, or before its request was read.
    [
      of('completed') >= answered && of('completed') <= answered + aborted,
      `${answered} answers were received, ${of('completed')} are recorded`,
    ],
    [
      journal.requests >= of('completed') && journal.requests <= rows.length,
      `the vendor had ${journal.requests} requests, ${of('completed')} to ${rows.length} were expected`,
    ],
    [journal.streamsOpen === 0, `${journal.streamsOpen} streams are open at the vendor`],
  ])
  return { figures, failures }
}

function failing(checks: readonly [holds: boolean, otherwise: string][]): string[] {
  return checks.filter(([holds]) => !holds).map(([, otherwise]) => otherwise)
}

async function exportedRows({ admin, accountId }: RunningTurnpike): Promise<ExportRow[]> {
  const text = await admin.text(`/accounts/${accountId}/usage/export?format=jsonl`)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExportRow)
}
