import type { Usage } from '@turnpike/protocol'
import { isObject } from '../json/object.ts'
import type { Cost } from '../bridge.ts'
import { withoutMoney } from './withheld-members.ts'

/** A request's cost as members of its usage: the exact amount as a string, and the same as a number. */
export function pricesOf(cost: Cost): { cost_usd: string; cost: number } {
  return { cost_usd: cost.usd, cost: Number(cost.usd) }
}

/**
 * The vendor's own usage with the cost, for an answer that passes. Our usage replaces it if the charge is
 * based on other numbers.
 * @param raw the vendor's, parsed
 */
export function patchUsage(
  raw: unknown,
  usage: Usage,
  cost: Cost,
  formatUsage: (usage: Usage, cost: Cost) => Record<string, unknown>,
): Record<string, unknown> {
  const isVendors = usage.estimated !== true && usage.disbelieved === undefined && isObject(raw)
  return isVendors ? { ...(withoutMoney(raw) as object), ...pricesOf(cost) } : formatUsage(usage, cost)
}
