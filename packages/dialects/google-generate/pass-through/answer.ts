import type { Usage } from '@turnpike/protocol'
import { withoutMoney } from '../../answers/withheld-members.ts'
import type { BridgeHead, Cost } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import { formatUsage, pricesOf } from '../caller/usage.ts'

type Json = Record<string, unknown>

/** A whole answer of the vendor as its caller gets it: with our model, and with what it cost. */
export function patchAnswer(body: Json, { model, id }: BridgeHead): FormattedAnswer {
  const { usageMetadata, ...rest } = body
  const answer = {
    ...(withoutMoney(rest) as Json),
    modelVersion: model,
    responseId: rest['responseId'] ?? id,
  }
  return (usage, cost) =>
    usage === undefined ? answer : { ...answer, usageMetadata: toldUsage(usageMetadata, usage, cost) }
}

/** The vendor's own usage with what it cost; ours in its place where the vendor's is not what was charged. */
export function toldUsage(raw: unknown, usage: Usage, cost: Cost): Json {
  const isVendors = usage.estimated !== true && usage.disbelieved === undefined && isObject(raw)
  return isVendors ? { ...(withoutMoney(raw) as Json), ...pricesOf(cost) } : formatUsage(usage, cost)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
