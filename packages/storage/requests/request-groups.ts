import type { RequestRecord } from '@turnpike/gateway'
import { hourMs } from '../usage/period.ts'

/**
 * The requests of a batch that count in the same totals: they have the same key, tags, model, provider and
 * ending, and began within the same hour. There are few groups, and many requests: what is looked up, named
 * or formatted for totals is done once a group.
 */
export interface RequestGroup {
  /** Number of the hour since 1970, UTC. */
  hour: number
  tagSet: string
  /** The first of them: its account, key, tags, model, provider and ending are those of all. */
  sample: RequestRecord
  records: RequestRecord[]
}

/** @param rows each with the name of its set of tags */
export function groupRequests(rows: readonly { record: RequestRecord; tagSet: string }[]): RequestGroup[] {
  const groups = new Map<string, RequestGroup>()
  for (const { record, tagSet } of rows) {
    const hour = Math.floor(record.startedAtMs / hourMs)
    const name = nameOf(hour, tagSet, record)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, { hour, tagSet, sample: record, records: [record] })
    else group.records.push(record)
  }
  return [...groups.values()]
}

function nameOf(hour: number, tagSet: string, record: RequestRecord): string {
  const { accountId, keyId, modelServed, modelTried, provider } = record
  const { tier, endpoint, outcome, errorType, isByok } = record
  const where = `${accountId}\n${keyId}\n${modelServed}\n${modelTried}\n${provider}`
  return `${hour}\n${tagSet}\n${where}\n${tier}\n${endpoint}\n${outcome}\n${errorType}\n${isByok}`
}

/** What the requests of a group were charged together. */
export function chargeOf({ records }: RequestGroup): bigint {
  let chargePico = 0n
  for (const record of records) chargePico += record.chargePico
  return chargePico
}
