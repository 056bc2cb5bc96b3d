import type { VendorServer } from '@turnpike/simulators'
import type { ConfigurationInput } from '../../apps/server/configuration/schema/schema.ts'
import { databases, type NodeDatabase } from './databases.ts'
import { suiteDatabase, suiteNode, suiteVendor } from './suite.ts'
import type { TestNode } from './test-node.ts'

/** Each engine with each number of nodes that it supports: the embedded database belongs to one node. */
export const layouts = databases().flatMap((database) =>
  (database.engine === 'SQLite' ? [1] : [1, 2]).map((nodes) => ({ ...database, nodes })),
)

export interface VendorFleet {
  nodes: TestNode[]
  vendor: VendorServer
}

/** Gateways on one database in front of one simulated vendor, for a suite of tests. */
export function suiteFleet(
  create: NodeDatabase['create'],
  count: number,
  input: (vendorUrl: string) => ConfigurationInput,
): VendorFleet {
  const vendor = suiteVendor()
  const database = suiteDatabase(create)
  const ofVendor = (): ConfigurationInput => input(vendor.baseUrl())
  return { vendor, nodes: Array.from({ length: count }, () => suiteNode(ofVendor, { database })) }
}

/** A model whose input is free. */
export const echoing =
  (completion: string) =>
  (base_url: string): ConfigurationInput => ({
    providers: { vendor: { style: 'openai', base_url } },
    models: { 'vendor/echo': { pricing: { prompt: '0', completion } } },
  })
