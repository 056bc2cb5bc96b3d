import type { Endpoint } from '@turnpike/protocol'
import type { RequestGroup } from '../requests/request-groups.ts'

/**
 * The endpoint that has no totals of its own: those of all requests have them, beside what others have. So
 * the totals from before endpoints were told apart are its own.
 */
export const endpointOfRest: Endpoint = 'chat.completions'

/** What is summed up of requests. */
export interface Amounts {
  requests: number
  tokensIn: number
  tokensOut: number
  costPico: bigint
  /** What they would have cost at the baseline model; those that it is not known of, as they did. */
  baselinePico: bigint
  /** What vendors are owed for those of which it is known, and what these were charged. */
  vendorCostPico: bigint
  costedPico: bigint
}

/** What a group of requests comes to. */
export interface Tally extends Amounts {
  /** Number of the hour since 1970, UTC. */
  hour: number
  accountId: string
  tagSet: string
  tags: readonly string[]
  endpoint: Endpoint
  /** In the order of the table's key: key, model, provider, tier, outcome. */
  rest: readonly string[]
}

export function tallyGroup({ hour, tagSet, sample, records }: RequestGroup): Tally {
  const { accountId, keyId, modelServed, provider, tier, endpoint, outcome, tags } = sample
  const rest = [keyId, modelServed ?? '', provider ?? '', tier ?? '', outcome]
  const sum: Amounts = {
    requests: records.length,
    tokensIn: 0,
    tokensOut: 0,
    costPico: 0n,
    baselinePico: 0n,
    vendorCostPico: 0n,
    costedPico: 0n,
  }
  for (const { tokensIn, tokensOut, chargePico, baselinePico, vendorCostPico } of records) {
    sum.tokensIn += tokensIn
    sum.tokensOut += tokensOut
    sum.costPico += chargePico
    sum.baselinePico += baselinePico ?? chargePico
    if (vendorCostPico === null) continue
    sum.vendorCostPico += vendorCostPico
    sum.costedPico += chargePico
  }
  return { hour, accountId, tagSet, tags, endpoint, rest, ...sum }
}
