import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formatUsd } from '@turnpike/billing'
import { readSetAside } from '../../../packages/storage/outbox/set-aside.ts'
import { leaseSums } from '../../../packages/storage/testing/lease-sums.ts'
import type { Differences } from './differences.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Node } from '../fleet/node.ts'

/** Credit in leases by node, in pico-USD. */
export function leasesByNode({ database, nodes }: Fleet): Promise<Map<string, bigint>> {
  return database === undefined
    ? leaseSums({ engine: 'sqlite', path: join(dataOf(nodes[0]!), 'turnpike.db') })
    : leaseSums({ engine: 'postgres', url: database.cluster.url })
}

export function nodeIdOf(node: Node): string {
  return readFileSync(join(dataOf(node), 'node_id'), 'utf8').trim()
}

/** Checks nodes that have ended: no lease is left, no row waits, no row was set aside or damaged. */
export async function compareLeftovers(fleet: Fleet, differences: Differences): Promise<void> {
  for (const [nodeId, pico] of await leasesByNode(fleet))
    differences.equal(`credit in leases of ${nodeId}`, '0', formatUsd(pico))
  for (const node of fleet.nodes) {
    for (const folder of outboxesOf(node)) compareOutbox(`outbox of node ${node.index}`, folder, differences)
  }
}

function compareOutbox(what: string, folder: string, differences: Differences): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (name.endsWith('.log')) differences.equal(`${what}: ${path}, bytes`, 0, statSync(path).size)
    if (name.startsWith('damaged-'))
      differences.add(`${what}: ${path}`, 'no such file', 'bytes that are no rows')
  }
  for (const { payload, reason } of readSetAside(folder).rows)
    differences.add(`${what}: row set aside: ${payload}`, 'none', reason)
}

/** The outbox of the node, or those of each of its workers. */
function outboxesOf(node: Node): string[] {
  const workers = join(dataOf(node), 'workers')
  if (!existsSync(workers)) return [join(dataOf(node), 'outbox')]
  return readdirSync(workers).map((number) => join(workers, number, 'outbox'))
}

function dataOf(node: Node): string {
  return join(node.gateway.directory, '.turnpike')
}
