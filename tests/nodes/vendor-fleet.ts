import { startVendorServer, type VendorServer } from '@turnpike/simulators'
import type { ConfigurationInput } from '../../apps/server/configuration/schema.ts'
import { databases } from './databases.ts'
import { startTestNode, type TestNode } from './test-node.ts'

type CreateDatabase = ReturnType<typeof databases>[number]['create']

/** Each engine with as many nodes as it may have: the embedded database is one node's own. */
export const layouts = databases().flatMap((database) =>
  (database.engine === 'SQLite' ? [1] : [1, 2]).map((nodes) => ({ ...database, nodes })),
)

export interface VendorFleet {
  nodes: TestNode[]
  vendor: VendorServer
  stop(): Promise<void>
}

/** Nodes on a database of their own, and a simulated vendor behind them. */
export async function startVendorFleet(
  create: CreateDatabase,
  count: number,
  input: (vendorUrl: string) => ConfigurationInput,
): Promise<VendorFleet> {
  const vendor = await startVendorServer()
  const { url, drop } = await create()
  const nodes: TestNode[] = []
  for (let started = 0; started < count; started++)
    nodes.push(
      await startTestNode({
        ...(url === undefined ? {} : { databaseUrl: url }),
        input: input(vendor.baseUrl()),
      }),
    )
  return {
    nodes,
    vendor,
    async stop() {
      for (const node of nodes) await node.stop()
      await vendor.close()
      await drop()
    },
  }
}

/** A model of which input is for nothing. */
export const echoing =
  (completion: string) =>
  (base_url: string): ConfigurationInput => ({
    providers: { vendor: { style: 'openai', base_url } },
    models: { 'vendor/echo': { pricing: { prompt: '0', completion } } },
  })

export interface VendorNode {
  node: TestNode
  stop(): Promise<void>
}

/** One such node. */
export async function startVendorNode(
  create: CreateDatabase,
  input: (vendorUrl: string) => ConfigurationInput,
): Promise<VendorNode> {
  const fleet = await startVendorFleet(create, 1, input)
  return { node: fleet.nodes[0]!, stop: () => fleet.stop() }
}
