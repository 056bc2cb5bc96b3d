import { formatUsd, parseUsd } from '@turnpike/billing'
import type { LoadVendor } from '../client/journal.ts'
import type { FaultyCounters } from '../faults/faulty-vendors.ts'
import { brokenStream, type SoakLoad } from './load.ts'
import { totalsOf, type ExportRow, type RowTotals } from './rows.ts'
import type { RunningTurnpike } from '../subjects/turnpike.ts'

interface Summary {
  total_requests: number
  total_cost_usd: string
}

interface Verification {
  ok: boolean
  checked: number
  differences: unknown[]
}

interface Verdict {
  figures: string[]
  failures: string[]
}

type Check = readonly [holds: boolean, otherwise: string]

/** Checks that the clients' counts match the books. */
export async function compareBooks(
  server: RunningTurnpike,
  load: SoakLoad,
  granted: { keys: number; creditUsd: string },
  faults: boolean,
): Promise<Verdict & { totals: RowTotals }> {
  const { admin, accountId } = server
  const askedAtMs = performance.now()
  const verification = await admin.get<Verification>('/ledger/verify')
  const verifiedSeconds = (performance.now() - askedAtMs) / 1_000
  const summary = await admin.get<Summary>(`/accounts/${accountId}/usage`)
  const { balance_usd: balanceUsd } = await admin.get<{ balance_usd: string }>(`/accounts/${accountId}`)
  const totals = await totalsOf(readExport(server), faults)
  const refused = (await admin.metrics()).sum('turnpike_requests_refused_total') || 0
  const { costPico, outcomes } = totals
  const spentPico = parseUsd(granted.creditUsd) * BigInt(granted.keys) - parseUsd(balanceUsd)
  const charged = totals.rows - (outcomes.get('failed') ?? 0)
  const figures = [
    `rows: ${[...outcomes].map(([outcome, times]) => `${times} ${outcome}`).join(', ')}; ` +
      `cost ${formatUsd(costPico)} USD`,
    `ledger/verify: ${verification.ok ? 'ok' : 'NOT OK'}, ${verification.checked} checked in ` +
      `${verifiedSeconds.toFixed(0)} s; ${refused} requests were refused for want of room`,
  ]
  const failures = failing([
    [verification.ok, `ledger/verify has ${verification.differences.length} differences`],
    [
      parseUsd(summary.total_cost_usd) === costPico && spentPico === costPico,
      `costs differ: rows ${formatUsd(costPico)}, summary ${summary.total_cost_usd}, ` +
        `spent ${formatUsd(spentPico)}`,
    ],
    [
      summary.total_requests === charged,
      `summary counts ${summary.total_requests} requests, rows ${charged}`,
    ],
    [totals.wrongCosts === 0, `${totals.wrongCosts} rows cost something else than their tokens`],
    ...answersAgree(load, totals, refused),
  ])
  return { figures, failures, totals }
}

/**
 * Checks that each response has a row. A client that leaves may do so when its response is already on the
 * way. A request refused by an overloaded server (503) has no row, because it is refused before its account
 * is known.
 */
function answersAgree(
  { plain, streams }: SoakLoad,
  { outcomes, failed }: RowTotals,
  turnedAway: number,
): Check[] {
  const aborted = plain.aborted + streams.aborted
  const countSeen = (status: string): number =>
    (plain.statuses.get(status) ?? 0) + (streams.statuses.get(status) ?? 0)
  const agrees = (answers: number, rows: number, what: string): Check => [
    rows >= answers && rows <= answers + aborted,
    `${answers} answers were ${what}, ${rows} are recorded`,
  ]
  const countRecorded = (status: string): number =>
    (failed.get(status) ?? 0) + (status === '503' ? turnedAway : 0)
  const statuses = new Set([...plain.statuses.keys(), ...streams.statuses.keys(), ...failed.keys()])
  const refused = [...statuses].filter((status) => /^[45]\d\d$/u.test(status))
  return [
    agrees(countSeen('200'), outcomes.get('completed') ?? 0, 'whole'),
    agrees(countSeen(brokenStream), outcomes.get('upstream_cut') ?? 0, 'broken streams'),
    ...refused.map((status) => agrees(countSeen(status), countRecorded(status), status)),
  ]
}

/** Checks that the vendor's counts match the rows. */
export async function compareVendor(vendor: LoadVendor, { rows, outcomes }: RowTotals): Promise<Verdict> {
  const journal = await vendor.journal()
  const completed = outcomes.get('completed') ?? 0
  const figures = [
    `vendor: ${journal.requests} requests, ${journal.streamsCompleted} streams completed, ` +
      `${journal.streamsAborted} aborted`,
  ]
  const failures = failing([
    // A client may leave before its request was read.
    [
      journal.requests >= completed && journal.requests <= rows,
      `the vendor had ${journal.requests} requests, ${completed} to ${rows} were expected`,
    ],
    [journal.streamsOpen === 0, `${journal.streamsOpen} streams are open at the vendor`],
  ])
  return { figures, failures }
}

/** How the gateway's attempts name what a vendor did before the first token. */
const attemptResults = {
  '429': 'status-429',
  '500': 'status-500',
  '503': 'status-503',
  malformed: 'unusable-answer',
  hang: 'first-byte-timeout',
} as const

/** The largest share of faults that callers may notice. */
const mostVisible = 0.1

/** Checks that the vendors' faults match the gateway's attempts, and that callers noticed few of them. */
export async function compareFaults(
  server: RunningTurnpike,
  vendor: LoadVendor<FaultyCounters>,
  load: SoakLoad,
  totals: RowTotals,
): Promise<Verdict> {
  const { calls, faults, left, streamsOpen } = await vendor.journal()
  const metrics = await server.admin.metrics()
  const aborted = load.plain.aborted + load.streams.aborted
  const attempts = Object.entries(attemptResults).map(([kind, result]) => {
    const counted = metrics.sum('turnpike_upstream_attempts_total', { result })
    // If the machine is too busy for the vendor to answer in time, that counts as a hang.
    const late = kind === 'hang' ? left : 0
    return { kind, did: faults[kind as keyof typeof attemptResults], late, counted: counted || 0 }
  })
  const did = Object.values(faults).reduce((sum, times) => sum + times, 0)
  const failed = [...totals.failed.values()].reduce((sum, times) => sum + times, 0)
  const figures = [
    `vendors: ${calls} calls, of which ${Object.entries(faults)
      .map(([kind, times]) => `${times} ${kind}`)
      .join(', ')}; ${left} were left before an answer that came`,
    `hidden from callers: ${totals.rescued} requests were served by another vendor, ${failed} failed`,
  ]
  const failures = failing([
    ...attempts.map(({ kind, did, late, counted }): Check => [
      counted <= did + late && counted >= did - aborted,
      `the vendors did ${did} × ${kind}, the gateway counts ${counted}`,
    ]),
    [
      totals.givenUpEarly === 0,
      `${totals.givenUpEarly} requests failed before all vendors were tried, ` +
        `as of ${JSON.stringify(totals.givenUpRow)}`,
    ],
    [failed <= (did + left) * mostVisible, `${failed} requests failed of ${did} faults`],
    [streamsOpen === 0, `${streamsOpen} streams are open at the vendors`],
  ])
  return { figures, failures }
}

function failing(checks: readonly Check[]): string[] {
  return checks.filter(([holds]) => !holds).map(([, otherwise]) => otherwise)
}

async function* readExport({ admin, accountId }: RunningTurnpike): AsyncGenerator<ExportRow> {
  for await (const line of admin.lines(`/accounts/${accountId}/usage/export?format=jsonl`))
    if (line !== '') yield JSON.parse(line) as ExportRow
}
