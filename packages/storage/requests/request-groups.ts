import type { LineRecord } from '@turnpike/gateway/record-line'
import { hourMs } from '../usage/period.ts'

/**
 * Requests of a batch that count in the same totals: they have the same key, tags, model, provider and
 * outcome, and began within the same hour. There are few groups for many requests, so looking up, naming and
 * formatting for totals is done once per group.
 */
export interface RequestGroup {
  /** Number of the hour since 1970, UTC. */
  hour: number
  tagSet: string
  /** The first request. All have the same account, key, tags, model, provider and outcome. */
  sample: LineRecord
  records: LineRecord[]
}

/** @param rows each with the name of its set of tags */
export function groupRequests(rows: readonly { record: LineRecord; tagSet: string }[]): RequestGroup[] {
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

function nameOf(hour: number, tagSet: string, record: LineRecord): string {
  const { accountId, keyId, modelServed, modelTried, provider } = record
  const { tier, endpoint, outcome, errorType, isByok } = record
  const where = `${accountId}\n${keyId}\n${modelServed}\n${modelTried}\n${provider}`
  return `${hour}\n${tagSet}\n${where}\n${tier}\n${endpoint}\n${outcome}\n${errorType}\n${isByok}`
}

/** The sum of the charges of a group. */
export function chargeOf({ records }: RequestGroup): bigint {
  let chargePico = 0n
  for (const record of records) chargePico += record.chargePico
  return chargePico
}
