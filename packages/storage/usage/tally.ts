import type { RequestRecord } from '@turnpike/gateway'
import type { Endpoint } from '@turnpike/protocol'
import { hourMs } from './period.ts'
import type { TagSets } from './tag-sets.ts'

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

const noAmounts: Readonly<Amounts> = {
  requests: 0,
  tokensIn: 0,
  tokensOut: 0,
  costPico: 0n,
  baselinePico: 0n,
  vendorCostPico: 0n,
  costedPico: 0n,
}

/** What the requests of a batch come to that have all of this in common. */
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

/** One entry a distinct combination: of them there are few, of requests many. */
export function tally(records: readonly RequestRecord[], tagSets: TagSets): Tally[] {
  const tallies = new Map<string, Tally>()
  for (const record of records) {
    const { accountId, keyId, modelServed, provider, tier, endpoint, outcome, tags } = record
    const hour = Math.floor(record.startedAtMs / hourMs)
    const tagSet = tagSets.idOf(tags)
    const key = `${hour} ${keyId} ${tagSet} ${modelServed}\n${provider}\n${tier}\n${endpoint}\n${outcome}`
    let same = tallies.get(key)
    if (same === undefined) {
      const rest = [keyId, modelServed ?? '', provider ?? '', tier ?? '', outcome]
      same = { hour, accountId, tagSet, tags, endpoint, rest, ...noAmounts }
      tallies.set(key, same)
    }
    same.requests++
    same.tokensIn += record.tokensIn
    same.tokensOut += record.tokensOut
    same.costPico += record.chargePico
    same.baselinePico += record.baselinePico ?? record.chargePico
    if (record.vendorCostPico !== null) {
      same.vendorCostPico += record.vendorCostPico
      same.costedPico += record.chargePico
    }
  }
  return [...tallies.values()]
}
