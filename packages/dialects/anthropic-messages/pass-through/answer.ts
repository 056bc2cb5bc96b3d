import type { Usage } from '@turnpike/protocol'
import { withoutMoney } from '../../answers/withheld-members.ts'
import type { BridgeHead, Cost } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import { formatUsage, pricesOf } from '../caller/usage.ts'

type Json = Record<string, unknown>

/** A whole answer of the vendor as its caller gets it: with our model, and with what it cost. */
export function patchAnswer(body: Json, { model }: BridgeHead): FormattedAnswer {
  return (usage, cost) => {
    if (usage === undefined) return { ...body, model }
    return { ...body, model, usage: toldUsage(body['usage'], usage, cost) }
  }
}

/** The vendor's own usage with what it cost; ours in its place where the vendor's is not what was charged. */
export function toldUsage(raw: unknown, usage: Usage, cost: Cost): Json {
  const isVendors = usage.estimated !== true && usage.disbelieved === undefined && isObject(raw)
  return isVendors ? { ...(withoutMoney(raw) as Json), ...pricesOf(cost) } : formatUsage(usage, cost)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
