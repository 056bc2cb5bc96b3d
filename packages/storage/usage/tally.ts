import type { Endpoint } from '@turnpike/protocol'
import type { RequestGroup } from '../requests/request-groups.ts'

/**
 * The endpoint without totals of its own: its totals are those of all requests minus those of the other
 * endpoints. So totals from before endpoints were told apart belong to it.
 */
export const endpointOfRest: Endpoint = 'chat.completions'

/** The sums over requests. */
export interface Amounts {
  requests: number
  tokensIn: number
  tokensOut: number
  costPico: bigint
  /** Cost at the baseline model. Requests without a known baseline count with their own cost. */
  baselinePico: bigint
  /** What vendors are owed, as far as known, and the charges of the same requests. */
  vendorCostPico: bigint
  costedPico: bigint
}

/** The sums of a group of requests. */
export interface Tally extends Amounts {
  /** Number of the hour since 1970, UTC. */
  hour: number
  accountId: string
  tagSet: string
  tags: readonly string[]
  endpoint: Endpoint
  /** Key, model, provider, tier, outcome: the order of the table's key. */
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
