import { startVendorServer, type VendorServer, type VendorServerOptions } from '@turnpike/simulators'
import type { ConfigurationInput } from '../../apps/server/configuration/schema/schema.ts'
import { startTestNode, type TestKey, type TestNode, type TestNodeOptions } from './test-node.ts'

/** A gateway in front of a simulated vendor, and a key with credit. */
export interface NodeBeforeVendor {
  node: TestNode
  vendor: VendorServer
  key: TestKey
  /** Stops both. */
  stop: () => Promise<void>
}

export interface NodeBeforeVendorOptions extends Pick<TestNodeOptions, 'databaseUrl' | 'dataDir'> {
  /** How the vendor answers by itself; absent: each test queues the answers. */
  vendor?: VendorServerOptions
  /** Default: 100. */
  creditUsd?: string
}

/** @param input receives the vendor, whose address the providers need */
export async function startNodeBeforeVendor(
  input: (vendor: VendorServer) => ConfigurationInput,
  { vendor: vendorOptions, creditUsd, ...where }: NodeBeforeVendorOptions = {},
): Promise<NodeBeforeVendor> {
  const vendor = await startVendorServer(vendorOptions)
  const node = await startTestNode({ ...where, input: input(vendor) })
  const key = await node.createKey(creditUsd === undefined ? {} : { creditUsd })
  return {
    node,
    vendor,
    key,
    stop: async () => {
      await node.stop()
      await vendor.close()
    },
  }
}
