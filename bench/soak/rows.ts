import { parseUsd } from '@turnpike/billing'
import { count } from '../client/load.ts'
import { vendorNames, pricesUsd } from '../faults/configuration.ts'

/** A row of the usage export, as far as a soak looks at it. */
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

/** What the rows say together. */
export interface RowTotals {
  rows: number
  outcomes: Map<string, number>
  costPico: bigint
  /** By status, of those that failed though the client waited. */
  failed: Map<string, number>
  /** Of these, those for which a vendor was neither asked nor resting. */
  givenUpEarly: number
  /** One of them, as its row tells it. */
  givenUpRow: ExportRow | undefined
  /** Answers that came from the second vendor asked, or from a later one. */
  rescued: number
  /** Rows whose cost is not that of their tokens at the price of the model that served. */
  wrongCosts: number
}

/** @param faults the rows are of the models that are made to fail */
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

/** The fallback model, asked for by name, has nobody else. */
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
