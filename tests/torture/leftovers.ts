import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formatUsd } from '@turnpike/billing'
import { readSetAside } from '../../packages/storage/outbox/set-aside.ts'
import { leaseSums } from '../../packages/storage/testing/lease-sums.ts'
import type { Differences } from './differences.ts'
import type { Fleet } from './fleet.ts'
import type { Node } from './node.ts'

/** Credit in leases by node, in pico-USD. */
export function leasesByNode({ database, nodes }: Fleet): Promise<Map<string, bigint>> {
  return database === undefined
    ? leaseSums({ engine: 'sqlite', path: join(dataOf(nodes[0]!), 'turnpike.db') })
    : leaseSums({ engine: 'postgres', url: database.cluster.url })
}

export function nodeIdOf(node: Node): string {
  return readFileSync(join(dataOf(node), 'node_id'), 'utf8').trim()
}

/** Of nodes that have ended: no lease is left, no row waits, none was set aside or damaged. */
export async function compareLeftovers(fleet: Fleet, differences: Differences): Promise<void> {
  for (const [nodeId, pico] of await leasesByNode(fleet))
    differences.equal(`credit in leases of ${nodeId}`, '0', formatUsd(pico))
  for (const node of fleet.nodes) {
    const folder = join(dataOf(node), 'outbox')
    for (const name of readdirSync(folder)) {
      const what = `outbox of node ${node.index}: ${name}`
      if (name.endsWith('.log')) differences.equal(`${what}, bytes`, 0, statSync(join(folder, name)).size)
      if (name.startsWith('damaged-')) differences.add(what, 'no such file', 'bytes that are no rows')
    }
    for (const { payload, reason } of readSetAside(folder).rows)
      differences.add(`row set aside by node ${node.index}: ${payload}`, 'none', reason)
  }
}

function dataOf(node: Node): string {
  return join(node.gateway.directory, '.turnpike')
}
