import type { UsageGroup } from '../../api/usage-queries.ts'
import { axisCount, axisPico } from '../../charts/axis.ts'
import { parseUsd, shortUsd } from '../../format/money.ts'
import { shortNumber } from '../../format/number.ts'
import type { Measure } from './usage-search.ts'

interface MeasureFacts {
  label: string
  /** Exact, whatever it counts. */
  valueOf: (group: UsageGroup) => bigint
  format: (value: bigint) => string
  formatAxis: (value: number) => string
}

const count = (value: bigint): string => shortNumber(Number(value))

export const measureFacts: Record<Measure, MeasureFacts> = {
  cost: {
    label: 'Spend',
    valueOf: (group) => parseUsd(group.total_cost_usd),
    format: shortUsd,
    formatAxis: axisPico,
  },
  requests: {
    label: 'Requests',
    valueOf: (group) => BigInt(group.total_requests),
    format: count,
    formatAxis: axisCount,
  },
  tokens: {
    label: 'Tokens',
    valueOf: (group) => BigInt(group.total_tokens_in) + BigInt(group.total_tokens_out),
    format: count,
    formatAxis: axisCount,
  },
}
