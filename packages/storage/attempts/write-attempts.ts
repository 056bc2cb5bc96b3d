import type { AttemptRecord } from '@turnpike/gateway'
import { bulkAdd, type BulkColumn, type BulkValue } from '../database/bulk.ts'
import type { RequestGroup } from '../requests/request-groups.ts'
import type { Connection } from '../schema.ts'
import { storableText } from '../database/storable-text.ts'
import { dayPeriod, hourMs, hourPeriod } from '../usage/period.ts'

/** Longer names are cut: they are names from the configuration, and words of our own. */
const maxTextLength = 256
/** An upper limit that no request reaches. */
const maxDurationMs = 1_000_000_000_000

const column =
  (type: BulkColumn['type']) =>
  (name: string): BulkColumn => ({ name, type })
const keys = ['period', 'node_id', 'provider', 'model', 'result'].map(column('text'))
const amounts = ['attempts', 'duration_ms'].map(column('bigint'))
const latest = [column('text')('last_request_id'), column('bigint')('last_at_ms')]

interface Tally {
  keys: string[]
  attempts: number
  durationMs: number
  lastRequestId: string
  lastAtMs: number
}

/** Counts the attempts of newly inserted requests, in the transaction of their rows. */
export async function addToAttempts(
  transaction: Connection,
  nodeId: string,
  groups: readonly RequestGroup[],
): Promise<void> {
  const tallies = totalsOf(nodeId, groups)
  // In the order of their keys, so that no two writers deadlock.
  const values = [...tallies.keys()].sort().flatMap((name): BulkValue[] => {
    const { keys, attempts, durationMs, lastRequestId, lastAtMs } = tallies.get(name)!
    return [...keys, attempts, durationMs, lastRequestId, lastAtMs]
  })
  await bulkAdd(transaction, { table: 'attempt_totals', keys, amounts, latest, values })
}

function totalsOf(nodeId: string, groups: readonly RequestGroup[]): Map<string, Tally> {
  const totals = new Map<string, Tally>()
  for (const group of groups) {
    const startMs = group.hour * hourMs
    for (const tally of tallyGroup(group))
      for (const period of [dayPeriod(startMs), hourPeriod(startMs)]) {
        const keys = [period, nodeId, ...tally.keys]
        const name = keys.join('\n')
        const total = totals.get(name)
        if (total === undefined) totals.set(name, { ...tally, keys })
        else add(total, tally)
      }
  }
  return totals
}

/** By provider, model and result. */
function tallyGroup({ records }: RequestGroup): Iterable<Tally> {
  const tallies = new Map<string, Tally>()
  for (const { id, startedAtMs, attempts } of records)
    for (const attempt of toCounted(attempts)) {
      const { provider, model, result } = attempt
      const name = `${provider}\n${model}\n${result}`
      let tally = tallies.get(name)
      if (tally === undefined) {
        const keys = [provider, model, result].map(toKeyText)
        tally = { keys, attempts: 0, durationMs: 0, lastRequestId: id, lastAtMs: 0 }
        tallies.set(name, tally)
      }
      const durationMs = toDuration(attempt.durationMs)
      add(tally, { attempts: 1, durationMs, lastRequestId: id, lastAtMs: startedAtMs })
    }
  return tallies.values()
}

function add(sum: Tally, part: Omit<Tally, 'keys'>): void {
  sum.attempts += part.attempts
  sum.durationMs += part.durationMs
  if (part.lastRequestId > sum.lastRequestId) sum.lastRequestId = part.lastRequestId
  if (part.lastAtMs > sum.lastAtMs) sum.lastAtMs = part.lastAtMs
}

/**
 * Ignores invalid attempts: a record from the outbox may hold anything in fields that its charge does not
 * need, and must not keep its batch out of the database. Attempts with an account's own vendor key are
 * ignored too, because they say nothing about the operator's upstream.
 */
function toCounted(attempts: unknown): AttemptRecord[] {
  return Array.isArray(attempts) ? attempts.filter(isCounted) : []
}

function isCounted(attempt: Partial<AttemptRecord> | null): attempt is AttemptRecord {
  if (typeof attempt !== 'object' || attempt === null || attempt.isByok === true) return false
  const { provider, model, result } = attempt
  return typeof provider === 'string' && typeof model === 'string' && typeof result === 'string'
}

function toKeyText(text: string): string {
  return storableText(text).slice(0, maxTextLength).toWellFormed()
}

function toDuration(durationMs: unknown): number {
  const whole = Math.round(Number(durationMs))
  return whole >= 0 && whole <= maxDurationMs ? whole : 0
}
