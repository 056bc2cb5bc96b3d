import { formatUsd, parseUsd } from '@turnpike/billing'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { payerOf, type AccountBooks, type Entry, type Row } from './books.ts'
import { numberTag } from '../clients/clients.ts'
import type { Differences } from './differences.ts'
import type { Database } from '../fleet/database.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Node } from '../fleet/node.ts'
import { endOfLast, overlaps } from '../periods.ts'
import { priceOf, thinkingModel, type TokenCounts } from '../world/prices.ts'
import { isNotGiven } from './refusal-text.ts'
import type { RequestPlan } from '../clients/requests.ts'
import type { Sighting } from '../clients/sighting.ts'
import type { VendorCall, VendorCalls } from '../fleet/vendor-calls.ts'

/** Everything that is known about one request. */
interface Case {
  name: string
  sighting: Sighting
  rows: readonly Row[]
  calls: readonly VendorCall[]
}

/** A tokenizer may count the beginning of a text slightly higher by itself than within the whole text. */
const tokensOfCutText = 3
/** Beyond the part of a text that the gateway keeps, it extrapolates from the token rate of that part. */
const reckonedShare = 0.02
/** The rate at which the gateway estimates hidden reasoning. */
const unseenTokensPerMs = 0.1
/** Every node refuses a revoked key within this time (docs/contract.md, 3). */
const refusedWithinMs = 1_000
/** A disturbed node learns what it missed within this time, once it can reach the database again. */
const disturbedForMs = 3_000
/** A row may reach the file this long after its client has left. */
const rowWithinMs = 5_000

/** Checks that each request is recorded at most once, charged as it ended, and refused with a cause. */
export function compareRequests(
  sightings: readonly Sighting[],
  books: readonly AccountBooks[],
  vendor: Pick<VendorCalls, 'of'>,
  { nodes, database }: Pick<Fleet, 'nodes' | 'database'>,
  differences: Differences,
): void {
  const rows = rowsByTag(books)
  const keyNames = new Map(books.flatMap(({ keys }) => keys.map(({ id, name }) => [id, name])))
  for (const sighting of sightings) {
    const { plan, key, requestId } = sighting
    const name = `request ${requestId ?? numberTag(plan.number)} (${numberTag(plan.number)}) of ${key.id}`
    const one = {
      name,
      sighting,
      rows: rows.get(numberTag(plan.number)) ?? [],
      calls: vendor.of(plan.number),
    }
    compareRecord(one, nodes, differences)
    for (const row of one.rows) comparePayer(one, row, keyNames, differences)
    for (const row of one.rows) compareCharge(one, row, nodes, differences)
    compareRefusal(one, differences)
    compareEndedKey(one, nodes, database, differences)
  }
  for (const { rows: ofAccount, entries } of books) compareEntries(ofAccount, entries, differences)
}

function rowsByTag(books: readonly AccountBooks[]): Map<string, Row[]> {
  const rows = new Map<string, Row[]>()
  for (const row of books.flatMap((book) => book.rows)) {
    const tag = row.tags.find((one) => one.startsWith('n:'))
    if (tag === undefined) continue
    const same = rows.get(tag)
    if (same === undefined) rows.set(tag, [row])
    else same.push(row)
  }
  return rows
}

/** Checks how many rows a request has, and that they are its own. */
function compareRecord(
  { name, sighting, rows }: Case,
  nodes: readonly Node[],
  differences: Differences,
): void {
  const { ending, sentAtMs, endedAtMs, requestId } = sighting
  const node = nodes[sighting.node]!
  const settledByMs = settledBy(sighting, nodes)
  const killed = overlaps(node.killed, sentAtMs, settledByMs)
  const torn = killed || overlaps(node.restarted, sentAtMs, endedAtMs)
  if (rows.length > 1) differences.add(`${name}: rows`, 'at most 1', String(rows.length))
  const [row] = rows
  if (row !== undefined && requestId !== undefined)
    differences.equal(`${name}: identifier of its row`, requestId, row.id)
  if (ending === 'deadline') differences.add(`${name}: ending`, 'any', 'none within two minutes')
  if (ending === 'truncated')
    differences.add(`${name}: ending`, 'whole, or an error', sighting.text.slice(-80))
  if (ending === 'broken' && !torn)
    differences.add(`${name}: connection`, 'kept', 'broken by a node that lived')
  if (ending === 'unreached' && row !== undefined) differences.add(`${name}: row`, 'none', row.outcome)
  const recorded = ending === 'delivered' || ending === 'failing'
  if (recorded && row === undefined) differences.add(`${name}: row`, `one, as it was ${ending}`, 'none')
  if (ending === 'left' && row === undefined && sighting.status !== undefined && !killed)
    differences.add(`${name}: row`, 'one, as its answer had begun', 'none')
}

/** Checks that a row belongs to the key that was sent, or to one that it was rotated to. */
function comparePayer(
  { name, sighting: { key } }: Case,
  row: Row,
  keyNames: ReadonlyMap<string, string>,
  differences: Differences,
): void {
  const keyIds = [key.id]
  let successor = key.successor
  for (; typeof successor === 'object'; successor = successor.successor) keyIds.push(successor.id)
  if (keyIds.includes(row.key_id)) return
  // A rotation keeps the key's unique name, which identifies successors that no response reported.
  const rowName = keyNames.get(row.key_id)
  if (successor === 'untold' && rowName === key.name) return
  // Removing a member moves keys without the harness knowing. Records that were handed over are on no list,
  // and until a node learns of it, the secret still belongs to the old record.
  if (key.account.wealth === 'budgeted' && (rowName === undefined || rowName === key.name)) return
  differences.add(`${name}: key of its row`, keyIds.join(' or '), row.key_id)
}

/** Compares the row's charge with what the vendor sent and the client got. */
function compareCharge(one: Case, row: Row, nodes: readonly Node[], differences: Differences): void {
  const { name, sighting, calls } = one
  const { plan, costUsd, ending } = sighting
  const cost = parseUsd(row.cost_usd)
  if (ending === 'delivered') differences.equal(`${name}: outcome`, 'completed', row.outcome)
  if (costUsd !== undefined) differences.equal(`${name}: cost told to the client`, costUsd, row.cost_usd)
  if (row.outcome === 'failed') {
    differences.equal(`${name}: cost of a failed request`, 0n, cost)
    // Comments keep a stream open before anything is answered; they do not count as delivered.
    if (ending === 'failing' && sighting.text !== '')
      differences.add(`${name}: outcome`, 'not failed: it had begun', 'failed')
    return
  }
  const expected = isNotGiven(sighting.error) ? 'credit_exhausted' : 'failed'
  if (ending === 'refused') differences.equal(`${name}: outcome`, expected, row.outcome)
  const bill = calls[0]?.bill
  if (bill?.told !== undefined) return compareEstimate(one, row, nodes, differences)
  const reported = bill?.reported === true && row.tokens_out === bill.completionTokens
  if (reported && row.tokens_in === bill.promptTokens) {
    differences.equal(`${name}: charge`, formatUsd(priceOf(plan.model, bill)), row.cost_usd)
    return
  }
  if (bill?.reported === true && isCutToHold(plan, bill, row)) {
    const held = { ...bill, completionTokens: row.tokens_out }
    differences.equal(`${name}: charge of what was held`, formatUsd(priceOf(plan.model, held)), row.cost_usd)
    return
  }
  if (row.outcome === 'completed' && bill?.reported === true) {
    const expected = `${bill.promptTokens} + ${bill.completionTokens} tokens, as the vendor reported`
    differences.add(`${name}: usage`, expected, `${row.tokens_in} + ${row.tokens_out}`)
    return
  }
  compareEstimate(one, row, nodes, differences)
}

/** Whether the vendor exceeded its bound and the credit covered no more than the hold, at its final size. */
function isCutToHold({ kind, maxTokens = 0 }: RequestPlan, bill: TokenCounts, row: Row): boolean {
  const isWithin = row.tokens_out >= maxTokens && row.tokens_out < bill.completionTokens
  return kind === 'ignored-bound' && row.tokens_in === bill.promptTokens && isWithin
}

/**
 * Checks a charge that the gateway counted itself: all of the input, and an output between what the client
 * got and what was sent.
 */
function compareEstimate(
  { name, sighting, calls }: Case,
  row: Row,
  nodes: readonly Node[],
  differences: Differences,
): void {
  const { plan, text } = sighting
  const counts = { promptTokens: row.tokens_in, cachedTokens: 0, completionTokens: row.tokens_out }
  differences.equal(`${name}: price of an estimate`, formatUsd(priceOf(plan.model, counts)), row.cost_usd)
  differences.equal(`${name}: estimated input`, countTokens(plan.prompt), row.tokens_in)
  const least = countTokens(text) * (1 - reckonedShare) - tokensOfCutText
  const seen = countTokens(calls[0]?.textSent ?? '') * (1 + reckonedShare) + tokensOfCutText
  const most = seen + mostUnseenTokens(sighting, nodes)
  if (row.tokens_out < least || row.tokens_out > most)
    differences.add(`${name}: estimated output`, `${least} to ${most} tokens`, String(row.tokens_out))
}

/** The most that may be estimated for hidden reasoning while its client and the gateway waited. */
function mostUnseenTokens(sighting: Sighting, nodes: readonly Node[]): number {
  if (sighting.plan.model !== thinkingModel) return 0
  return (settledBy(sighting, nodes) - sighting.sentAtMs) * unseenTokensPerMs
}

/** A node that was halted meanwhile continues with the request after the halt. */
function settledBy({ endedAtMs, node }: Sighting, nodes: readonly Node[]): number {
  return endOfLast(nodes[node]!.halted, endedAtMs, endedAtMs + rowWithinMs, rowWithinMs) + rowWithinMs
}

/** A 429 for another reason is the vendor's, or a rate limit. */
const heldByOthers = /other requests in flight hold/

/** Finds refusals that are never right: internal errors, and lack of credit where there is plenty. */
function compareRefusal({ name, sighting }: Case, differences: Differences): void {
  const { status, error, key, plan } = sighting
  if (status === 500) differences.add(`${name}: status`, 'not 500', error?.message ?? '')
  if (key.account.wealth !== 'ample' || error === undefined) return
  if (error.type === 'insufficient_quota')
    differences.add(`${name}: credit`, 'enough, as at all times', error.message)
  if (status === 429 && !plan.prompt.includes('error=429') && heldByOthers.test(error.message))
    differences.add(`${name}: credit`, 'enough, as at all times', `429 ${error.message}`)
}

/**
 * Checks that a key that has ended is refused everywhere within a second, or slightly later by a node that
 * was disturbed or had no database.
 */
function compareEndedKey(
  { name, sighting }: Case,
  nodes: readonly Node[],
  database: Database | undefined,
  differences: Differences,
): void {
  const { key, sentAtMs, status } = sighting
  const { endedAtMs } = key
  if (endedAtMs === undefined || sentAtMs < endedAtMs + refusedWithinMs || status !== 200) return
  const { killed, restarted, halted } = nodes[sighting.node]!
  const disturbances = [...killed, ...restarted, ...halted, ...(database?.away ?? [])]
  if (overlaps(disturbances, sentAtMs - disturbedForMs, sentAtMs)) return
  const late = `served ${sentAtMs - endedAtMs} ms after it`
  differences.add(`${name}: key, which had ended`, 'refused within a second', late)
}

/** Checks that each charge has one `usage` entry, and each `usage` entry a charge. */
function compareEntries(rows: readonly Row[], entries: readonly Entry[], differences: Differences): void {
  const usage = new Map<string, Entry>()
  for (const entry of entries) {
    if (entry.kind !== 'usage') continue
    const requestId = entry.request_id ?? ''
    if (usage.has(requestId)) differences.add(`usage of ${requestId}`, 'one entry', 'another one')
    usage.set(requestId, entry)
  }
  for (const row of rows) {
    const entry = usage.get(row.id)
    usage.delete(row.id)
    differences.equal(`usage entry of ${row.id} of ${row.key_id}`, row.cost_usd, entry?.amount_usd ?? '0')
    if (entry !== undefined)
      differences.equal(`payer of ${row.id}`, `key:${payerOf(row)}`, entry.debit_account)
  }
  for (const requestId of usage.keys()) differences.add(`usage of ${requestId}`, 'a request', 'none')
}
