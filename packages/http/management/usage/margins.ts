import { formatUsd } from '@turnpike/billing'
import type { UsageTotals } from '@turnpike/gateway'
import { Type, type Static } from 'typebox'
import { nullable, usd } from '../validation/fields.ts'

/** What remains of the charges after vendor costs. For operators only. */
export const marginFields = {
  total_vendor_cost_usd: nullable(
    Type.Unsafe<string>({
      ...usd,
      description:
        'Vendor cost of these requests: the same usage at prices without markup. Null: it ' +
        'is unknown for all of them.',
    }),
  ),
  total_margin_usd: nullable(
    Type.Unsafe<string>({
      ...usd,
      description: 'Charges of requests with known vendor cost, minus that cost.',
    }),
  ),
  total_uncosted_usd: Type.Unsafe<string>({
    ...usd,
    description:
      'Of `total_cost_usd`, the charges of requests with unknown vendor cost, from before it ' +
      'was recorded.',
  }),
}

const marginsSchema = Type.Object(marginFields)

export function margins(found: UsageTotals): Static<typeof marginsSchema> {
  const { totalCostPico, totalCostedPico, totalVendorCostPico } = found
  const uncostedPico = totalCostPico - totalCostedPico
  const isKnown = uncostedPico === 0n || totalCostedPico > 0n || totalVendorCostPico > 0n
  return {
    total_vendor_cost_usd: isKnown ? formatUsd(totalVendorCostPico) : null,
    total_margin_usd: isKnown ? formatUsd(totalCostedPico - totalVendorCostPico) : null,
    total_uncosted_usd: formatUsd(uncostedPico),
  }
}
