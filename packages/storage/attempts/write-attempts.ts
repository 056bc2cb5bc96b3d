import type { AttemptRecord, RequestRecord } from '@turnpike/gateway'
import type { Kysely } from 'kysely'
import { bulkAdd, type BulkColumn, type BulkValue } from '../bulk.ts'
import type { Engine } from '../engine.ts'
import type { Schema } from '../schema.ts'
import { storableText } from '../storable-text.ts'
import { dayPeriod, hourPeriod } from '../usage/period.ts'

/** Of an attempt's own texts no more is kept: they are names of the configuration's, and words of ours. */
const maxTextLength = 256
/** No request takes so long. */
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

/** Adds the attempts of what was newly inserted, in the transaction of the requests' rows. */
export async function addToAttempts(
  engine: Engine,
  transaction: Kysely<Schema>,
  nodeId: string,
  records: readonly RequestRecord[],
): Promise<void> {
  const tallies = tally(nodeId, records)
  // In the order of their keys: no two writers wait for each other.
  const values = [...tallies.keys()].sort().flatMap((name): BulkValue[] => {
    const { keys, attempts, durationMs, lastRequestId, lastAtMs } = tallies.get(name)!
    return [...keys, attempts, durationMs, lastRequestId, lastAtMs]
  })
  await bulkAdd(engine, transaction, { table: 'attempt_totals', keys, amounts, latest, values })
}

function tally(nodeId: string, records: readonly RequestRecord[]): Map<string, Tally> {
  const tallies = new Map<string, Tally>()
  for (const { id, startedAtMs, attempts } of records)
    for (const attempt of toCounted(attempts))
      for (const period of [dayPeriod(startedAtMs), hourPeriod(startedAtMs)]) {
        const keys = [period, nodeId, ...attempt.texts]
        const name = keys.join('\n')
        const same = tallies.get(name) ?? { keys, attempts: 0, durationMs: 0, lastRequestId: id, lastAtMs: 0 }
        same.attempts++
        same.durationMs += attempt.durationMs
        if (id > same.lastRequestId) same.lastRequestId = id
        if (startedAtMs > same.lastAtMs) same.lastAtMs = startedAtMs
        tallies.set(name, same)
      }
  return tallies
}

/**
 * A record from the outbox may hold anything where its charge does not need it: what is no attempt must not
 * keep a batch out of the database.
 */
function toCounted(attempts: unknown): { texts: string[]; durationMs: number }[] {
  if (!Array.isArray(attempts)) return []
  return attempts.flatMap((attempt: Partial<AttemptRecord> | null) => {
    const { provider, model, result, durationMs, isByok } = attempt ?? {}
    // What an account's own key brings about says nothing of an upstream of the operator's.
    if (isByok === true) return []
    const texts = [provider, model, result]
    if (!texts.every((text) => typeof text === 'string')) return []
    const whole = Math.round(Number(durationMs))
    const isTime = whole >= 0 && whole <= maxDurationMs
    return [
      {
        texts: texts.map((text) => storableText(text).slice(0, maxTextLength).toWellFormed()),
        durationMs: isTime ? whole : 0,
      },
    ]
  })
}
