import { formatUsd, parseUsd } from '@turnpike/billing'
import { payerOf, type AccountBooks, type Entry } from './books.ts'
import { numberTag } from '../clients/clients.ts'
import { isNotGiven, isOfBudget, isOfLimit, neededUsd } from './refusal-text.ts'
import type { Differences } from './differences.ts'
import type { Movement } from '../world/movements.ts'
import type { Sighting } from '../clients/sighting.ts'

/** A change of a key's credit, with its earliest and latest time. */
interface Change {
  pico: bigint
  earliestMs: number
  latestMs: number
}

/**
 * Checks that no 402 was false: a request that was refused for lack of credit must have had too little at
 * some moment, on its key or on its whole account, even if all incoming credit arrived as late as possible
 * and all outgoing credit left as early as possible.
 */
export function compareRefusals(
  sightings: readonly Sighting[],
  books: readonly AccountBooks[],
  movements: readonly Movement[],
  differences: Differences,
): void {
  const refused = sightings.filter(
    ({ status, error }) => status === 402 && !isOfLimit(error) && !isOfBudget(error) && !isNotGiven(error),
  )
  if (refused.length === 0) return
  const changes = changesByKey(sightings, books, movements)
  for (const sighting of refused) {
    const { key, sentAtMs, endedAtMs, error, requestId, plan } = sighting
    const needs = parseUsd(neededUsd(error))
    const leastOf = (owner: string): bigint => leastAt(changes.get(owner) ?? [], sentAtMs, endedAtMs)
    const least = leastOf(steadyPayer(sighting, movements) ?? key.id)
    if (least < needs || key.endingSinceMs !== undefined) continue
    if (leastOf(key.account.id) < needs) continue
    const name = `402 of ${requestId} (${numberTag(plan.number)}) of ${key.id}`
    differences.add(name, `no refusal: it had at least ${formatUsd(least)} USD`, error?.message ?? '')
  }
}

/** Movements that may end a key or replace it by another. */
const endKeys: ReadonlySet<string> = new Set(['revoke', 'rotate', 'organization'])

/**
 * The key that the request's key drew on, if nothing can have changed that before; undefined: itself, or
 * unknown.
 */
function steadyPayer({ key, endedAtMs }: Sighting, movements: readonly Movement[]): string | undefined {
  if (key.drawsOn === null) return undefined
  const isMoved = movements.some(
    ({ plan, account, keyId, toKeyId, sentAtMs }) =>
      account === key.account &&
      sentAtMs <= endedAtMs &&
      ([keyId, toKeyId].includes(key.id) || endKeys.has(plan.kind)),
  )
  return isMoved ? undefined : key.drawsOn
}

function leastAt(changes: readonly Change[], sentAtMs: number, endedAtMs: number): bigint {
  let least = 0n
  for (const { pico, earliestMs, latestMs } of changes)
    if (pico > 0n ? latestMs <= sentAtMs : earliestMs <= endedAtMs) least += pico
  return least
}

/** The changes by key, and by account what came in or went out of it. */
function changesByKey(
  sightings: readonly Sighting[],
  books: readonly AccountBooks[],
  movements: readonly Movement[],
): Map<string, Change[]> {
  const changes = new Map<string, Change[]>()
  const add = (keyId: string, change: Change): void => {
    const known = changes.get(keyId)
    if (known === undefined) changes.set(keyId, [change])
    else known.push(change)
  }
  const sent = new Map(sightings.map((sighting) => [numberTag(sighting.plan.number), sighting]))
  const moved = new Map(movements.map((movement) => [movement.plan.id, movement]))
  for (const { accountId, rows, entries } of books) {
    for (const row of rows) {
      const sighting = sent.get(row.tags.find((tag) => tag.startsWith('n:')) ?? '')
      const earliestMs = sighting?.sentAtMs ?? 0
      const change = { pico: -parseUsd(row.cost_usd), earliestMs, latestMs: Number.POSITIVE_INFINITY }
      for (const owner of [payerOf(row), accountId]) add(owner, change)
    }
    for (const entry of entries) {
      if (entry.kind === 'usage') continue
      const when = timesOf(entry, moved)
      for (const [keyId, pico] of changesOf(entry)) add(keyId, { pico, ...when })
      const isWithin = [entry.debit_account, entry.credit_account].every((side) => side.includes(':'))
      if (!isWithin) add(accountId, { pico: parseUsd(entry.change_usd), ...when })
    }
  }
  return changes
}

/** What the gateway moved by itself may have moved at any time. */
function timesOf(entry: Entry, moved: ReadonlyMap<string, Movement>): Omit<Change, 'pico'> {
  const movement = moved.get(entry.reference.split(':').at(-1)!)
  return {
    earliestMs: movement?.sentAtMs ?? 0,
    latestMs: movement?.answeredAtMs ?? Number.POSITIVE_INFINITY,
  }
}

function changesOf(entry: Entry): [string, bigint][] {
  const amount = parseUsd(entry.amount_usd)
  const found: [string, bigint][] = []
  if (entry.credit_account.startsWith('key:')) found.push([entry.credit_account.slice('key:'.length), amount])
  if (entry.debit_account.startsWith('key:')) found.push([entry.debit_account.slice('key:'.length), -amount])
  return found
}
