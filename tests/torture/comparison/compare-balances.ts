import { formatUsd, parseUsd } from '@turnpike/billing'
import type { Admin } from '../world/admin.ts'
import { holdUsdOf, payerOf, type AccountBooks, type Entry, type KeyRecord, type Row } from './books.ts'
import { numberTag } from '../clients/clients.ts'
import type { Differences } from './differences.ts'
import { priceOf } from '../world/prices.ts'
import type { Sighting } from '../clients/sighting.ts'

/** What a request cost beyond its hold, and when it ran. */
interface Excess {
  pico: bigint
  /** The request's row, if it is charged for more output than its bound, which its hold must have covered. */
  unboundRow: string | undefined
  fromMs: number
  toMs: number
}

/** Output tokens that a request without a bound of its own holds credit for (docs/contract.md, 4.5). */
const defaultOutputTokens = 4_096
/** A request ends for the gateway slightly later than for its client. */
const settledWithinMs = 1_000

/**
 * A key may be below zero by what requests in flight at one moment cost beyond their holds, and by what
 * refunds and adjustments took (docs/contract.md, 4.5).
 * @returns how many keys ended below zero, and how many requests cost more than they held
 */
export async function compareBalances(
  books: readonly AccountBooks[],
  sightings: readonly Sighting[],
  admin: Admin,
  differences: Differences,
): Promise<{ belowZero: number; beyondHold: number }> {
  const byTag = new Map(sightings.map((sighting) => [numberTag(sighting.plan.number), sighting]))
  let belowZero = 0
  let beyondHold = 0
  for (const book of books) {
    for (const key of book.keys) {
      const low = lowest(key, book.entries)
      if (low >= 0n) continue
      belowZero++
      const excesses = await excessesOf(key, book.rows, byTag, admin)
      beyondHold += excesses.length
      for (const { unboundRow, pico } of excesses)
        if (unboundRow !== undefined)
          differences.add(
            `output of ${unboundRow} beyond its bound`,
            'held for',
            `${formatUsd(pico)} USD not`,
          )
      const taken = takenFrom(key, book.entries)
      const allowed = largestAtOnce(excesses) + taken
      if (-low > allowed) {
        const what = `credit of ${key.id} (${key.status}), of which ${formatUsd(taken)} were taken`
        differences.add(what, `at least -${formatUsd(allowed)}`, formatUsd(low))
      }
    }
  }
  return { belowZero, beyondHold }
}

/**
 * By how much an active key is below zero. For a revoked key: what others covered after its end, minus what
 * they got from it. A lease may pass to the heir before the charge that it was for has arrived; then the heir
 * briefly has both.
 */
function lowest(key: KeyRecord, entries: readonly Entry[]): bigint {
  if (key.status === 'active') return parseUsd(key.balance_usd)
  let left = 0n
  for (const entry of entries) {
    if (!movesOnFrom(key, entry)) continue
    left +=
      entry.credit_account === `key:${key.id}` ? -parseUsd(entry.amount_usd) : parseUsd(entry.amount_usd)
  }
  return left
}

/** Whether an entry moves a key's credit or debt to its heir or to the key that it was rotated to. */
function movesOnFrom(key: KeyRecord, { kind, reference }: Entry): boolean {
  if (kind === 'sweep') return reference.startsWith(`sweep:${key.id}`)
  return kind === 'transfer' && reference === `rotate:${key.id}`
}

/**
 * What refunds and adjustments took from a key, plus what it covered for keys that were revoked or rotated,
 * or that have drawn on it since.
 */
function takenFrom(key: KeyRecord, entries: readonly Entry[]): bigint {
  let taken = 0n
  for (const entry of entries) {
    if (entry.debit_account !== `key:${key.id}`) continue
    const moved = entry.kind === 'sweep' || /^(rotate|draws-on):/.test(entry.reference)
    const covers = moved && !movesOnFrom(key, entry)
    if (covers || entry.kind === 'refund' || entry.kind === 'adjustment') taken += parseUsd(entry.amount_usd)
  }
  return taken
}

/** Reads only holds of requests that cost more than an initial hold; a stream's hold may have grown. */
export async function excessesOf(
  key: Pick<KeyRecord, 'id'>,
  rows: readonly Row[],
  byTag: ReadonlyMap<string, Sighting>,
  admin: Admin,
): Promise<Excess[]> {
  const excesses: Excess[] = []
  for (const row of rows) {
    if (payerOf(row) !== key.id) continue
    const sighting = byTag.get(row.tags.find((tag) => tag.startsWith('n:')) ?? '')
    if (sighting === undefined || parseUsd(row.cost_usd) <= firstHold(sighting)) continue
    const excess = parseUsd(row.cost_usd) - parseUsd(await holdUsdOf(admin, row))
    const { sentAtMs, endedAtMs } = sighting
    if (excess <= 0n) continue
    const bound = sighting.plan.maxTokens
    const unboundRow = bound !== undefined && row.tokens_out > bound ? row.id : undefined
    excesses.push({ pico: excess, unboundRow, fromMs: sentAtMs, toMs: endedAtMs + settledWithinMs })
  }
  return excesses
}

function firstHold({ plan, bodyBytes }: Sighting): bigint {
  const promptTokens = Math.floor(bodyBytes / 3)
  const completionTokens = plan.maxTokens ?? defaultOutputTokens
  return priceOf(plan.model, { promptTokens, cachedTokens: 0, completionTokens })
}

export function largestAtOnce(excesses: readonly Excess[]): bigint {
  let largest = 0n
  for (const { fromMs } of excesses) {
    const atOnce = excesses.filter((one) => one.fromMs <= fromMs && one.toMs >= fromMs)
    const sum = atOnce.reduce((total, one) => total + one.pico, 0n)
    if (sum > largest) largest = sum
  }
  return largest
}
