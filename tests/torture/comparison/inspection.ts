import { setTimeout as delay } from 'node:timers/promises'
import { formatUsd, type LedgerVerification } from '@turnpike/billing'
import type { Admin } from '../world/admin.ts'
import { readBooks, readKeys, type AccountBooks, type KeyRecord } from './books.ts'
import { randomOf } from '../chance.ts'
import { compareBalances } from './compare-balances.ts'
import { compareCredit } from './compare-credit.ts'
import { compareDebts } from './compare-debts.ts'
import { compareBudgets } from './compare-budgets.ts'
import { compareLimits } from './compare-limits.ts'
import { compareRefusals } from './compare-refusals.ts'
import { compareRequests } from './compare-requests.ts'
import type { Differences } from './differences.ts'
import { internalSecret, type Fleet } from '../fleet/fleet.ts'
import { httpCall } from '../clients/http-call.ts'
import { compareLeftovers, leasesByNode, nodeIdOf } from './leftovers.ts'
import type { Node } from '../fleet/node.ts'
import type { Events } from '../events.ts'
import type { World } from '../world/world.ts'

export interface Inspection {
  fleet: Fleet
  admin: Admin
  world: World
  events: Events
  differences: Differences
  leaseSeconds: number
  /** How long a node may have been halted; absent: none was. */
  longestHaltMs?: number
  /** Whether a node is killed again, to check what happens to its leases. */
  looksAtDeadNode: boolean
  say: (line: string) => void
}

export interface Inspected {
  books: AccountBooks[]
  /** How many balances, leases and charges the ledger itself has compared. */
  verified: number
  strayKeys: number
  belowZero: number
  beyondHold: number
  /** How many were compared. */
  budgets: number
  /** Changes made to the organization. */
  moves: string[]
}

const outboxDeadlineMs = 60_000
/** A revoked key's remaining credit reaches its heir within seconds; longer on a busy machine. */
const sweepDeadlineMs = 10_000
const pollMs = 250
/** Added to the time that a lease outlives its node: until the next check for expired leases. */
const expiryGraceMs = 20_000

/** Waits until all requests are settled, then compares everything. Ends the nodes. */
export async function inspect(inspection: Inspection): Promise<Inspected> {
  const { fleet, admin, world, events, differences, say } = inspection
  await fleet.vendor.settle()
  await fleet.database?.idle()
  for (const node of fleet.nodes) await node.idle()
  await flushed(fleet, differences)
  if (inspection.looksAtDeadNode && fleet.nodes.length > 1) await compareDeadNode(inspection)
  say('quiet: the books are compared')
  await sweptUp(admin, world)
  const books = await readBooks(admin, world)
  const { sightings, movements } = events
  compareRequests(sightings, books, fleet.vendor, fleet, differences)
  const { strayKeys } = compareCredit(books, movements, world, differences)
  compareRefusals(sightings, books, movements, differences)
  await compareDebts(sightings, books, movements, inspection, admin, differences)
  await compareLimits(books, sightings, admin, differences)
  const budgets = await compareBudgets({ world, books, sightings, clock: fleet.clock }, admin, differences)
  const balances = await compareBalances(books, sightings, admin, differences)
  const verified = await compareLedger(admin, differences)
  for (const failure of admin.failures) differences.add('admin API', 'no 500', failure)
  for (const node of fleet.nodes) {
    for (const crash of node.crashes)
      differences.add(`node ${node.index}`, 'ends only when it is told to', crash)
    differences.equal(`exit code of node ${node.index}`, 0, (await node.stop()) ?? -1)
  }
  await compareLeftovers(fleet, differences)
  return { books, verified, strayKeys, budgets, moves: world.organization.moves, ...balances }
}

/** Checks that each node has moved its rows into the database by itself. */
async function flushed(fleet: Fleet, differences: Differences): Promise<void> {
  for (const node of fleet.nodes) {
    const givenUpAtMs = Date.now() + outboxDeadlineMs
    for (let rows = await outboxRows(fleet, node); rows !== 0; rows = await outboxRows(fleet, node)) {
      if (Date.now() > givenUpAtMs)
        return differences.add(
          `outbox of node ${node.index} after a minute of quiet`,
          '0 rows',
          `${rows} rows`,
        )
      await delay(pollMs)
    }
  }
}

/**
 * Waits for credit that a node had leased from a revoked key, which returns a little later. If it does not,
 * the comparison of the books finds that.
 */
async function sweptUp(admin: Admin, world: World): Promise<void> {
  const givenUpAtMs = Date.now() + sweepDeadlineMs
  for (const { id } of world.accounts) {
    const keys = (): Promise<KeyRecord[]> => readKeys(admin, id)
    const holdsNothing = (key: KeyRecord): boolean => key.status === 'active' || key.balance_usd === '0'
    while (!(await keys()).every(holdsNothing) && Date.now() < givenUpAtMs) await delay(pollMs)
  }
}

/** Undefined if the node does not report it, or not for all of its workers. */
async function outboxRows({ agent, workers = 1 }: Fleet, { gateway }: Node): Promise<number | undefined> {
  const { text } = await httpCall({
    port: gateway.port,
    method: 'GET',
    path: '/metrics',
    headers: { 'x-internal-secret': internalSecret },
    body: undefined,
    agent,
    deadlineMs: 5_000,
  })
  const rows = [...text.matchAll(/^turnpike_outbox_rows(?:\{[^}]*\})? (\d+)$/gm)]
  return rows.length < workers ? undefined : rows.reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Kills a node for good, and checks that its leased credit returns without it. */
async function compareDeadNode({ fleet, leaseSeconds, differences }: Inspection): Promise<void> {
  const dead = fleet.nodes.at(-1)!
  const nodeId = nodeIdOf(dead)
  await dead.killWhile(async () => {
    const givenUpAtMs = Date.now() + leaseSeconds * 1_000 + expiryGraceMs
    for (;;) {
      const left = (await leasesByNode(fleet)).get(nodeId) ?? 0n
      if (left === 0n) return
      if (Date.now() > givenUpAtMs)
        return differences.add(`leases of the dead node ${dead.index}`, '0', `${formatUsd(left)} USD`)
      await delay(pollMs)
    }
  })
}

async function compareLedger(admin: Admin, differences: Differences): Promise<number> {
  const random = randomOf(0, 'verify')
  const verification = await admin.ask<LedgerVerification>(random, 'GET', '/ledger/verify')
  for (const { subject, expected, found } of verification.differences)
    differences.add(`ledger verify: ${subject}`, expected, found)
  if (!verification.ok && verification.differences.length === 0)
    differences.add('ledger verify', 'ok', 'not ok')
  return verification.checked
}
