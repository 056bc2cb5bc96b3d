import type { UsageTotals } from '../../api/usage-queries.ts'
import { inNumbers, inUsd, type Unit } from '../../charts/unit.ts'
import { parseUsd } from '../../format/money.ts'
import type { Measure } from './usage-search.ts'

interface MeasureFacts {
  label: string
  /** Exact, whatever it counts. */
  valueOf: (totals: UsageTotals) => bigint
  unit: Unit
}

export const measureFacts: Record<Measure, MeasureFacts> = {
  cost: {
    label: 'Spend',
    valueOf: (group) => parseUsd(group.total_cost_usd),
    unit: inUsd,
  },
  requests: {
    label: 'Requests',
    valueOf: (group) => BigInt(group.total_requests),
    unit: inNumbers,
  },
  tokens: {
    label: 'Tokens',
    valueOf: (group) => BigInt(group.total_tokens_in) + BigInt(group.total_tokens_out),
    unit: inNumbers,
  },
}
