import { parseUsd } from '@turnpike/billing'
import { count } from '../client/load.ts'
import { vendorNames, pricesUsd } from '../faults/configuration.ts'

/** The fields of a usage export's row that a soak reads. */
export interface ExportRow {
  outcome: string
  status: number
  error_type: string | null
  cost_usd: string
  model_served: string | null
  tokens_in: number
  tokens_out: number
  attempts: { provider: string; result: string }[]
}

/** Totals over the rows. */
export interface RowTotals {
  rows: number
  outcomes: Map<string, number>
  costPico: bigint
  /** Failed requests whose client waited, by status. */
  failed: Map<string, number>
  /** How many of these skipped a vendor that was not in cooldown. */
  givenUpEarly: number
  /** An example of these. */
  givenUpRow: ExportRow | undefined
  /** Responses that came from the second or a later vendor. */
  rescued: number
  /** Rows whose cost does not match their tokens at the price of the model that served. */
  wrongCosts: number
}

/** @param faults whether the rows are of the models whose vendors fail */
export async function totalsOf(rows: AsyncIterable<ExportRow>, faults: boolean): Promise<RowTotals> {
  const totals: RowTotals = {
    rows: 0,
    outcomes: new Map(),
    costPico: 0n,
    failed: new Map(),
    givenUpEarly: 0,
    givenUpRow: undefined,
    rescued: 0,
    wrongCosts: 0,
  }
  for await (const row of rows) {
    totals.rows++
    totals.costPico += parseUsd(row.cost_usd)
    count(totals.outcomes, row.outcome)
    if (row.outcome === 'failed' && row.error_type !== 'client_closed_request') {
      count(totals.failed, String(row.status))
      if (faults && !wereAllTried(row)) {
        totals.givenUpEarly++
        totals.givenUpRow ??= row
      }
    }
    if (faults && row.outcome === 'completed' && row.attempts.length > 1) totals.rescued++
    if (faults && parseUsd(row.cost_usd) !== costOf(row)) totals.wrongCosts++
  }
  return totals
}

/** The fallback model, requested by name, has no other candidate. */
function wereAllTried({ attempts }: ExportRow): boolean {
  const tried = new Set(attempts.map(({ provider }) => provider))
  return (tried.size === 1 && tried.has('third')) || vendorNames.every((name) => tried.has(name))
}

function costOf({ outcome, model_served: model, tokens_in: input, tokens_out: output }: ExportRow): bigint {
  if (outcome === 'failed') return 0n
  const prices: Record<string, { prompt: string; completion: string }> = pricesUsd
  const price = prices[model ?? '']
  if (price === undefined) return -1n
  return BigInt(input) * parseUsd(price.prompt) + BigInt(output) * parseUsd(price.completion)
}
