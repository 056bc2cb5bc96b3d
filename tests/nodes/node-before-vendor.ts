import { startVendorServer, type VendorServer, type VendorServerOptions } from '@turnpike/simulators'
import type { ConfigurationInput } from '../../apps/server/configuration/schema/schema.ts'
import { startTestNode, type TestKey, type TestNode, type TestNodeOptions } from './test-node.ts'

/** A gateway before a simulated vendor, and a key with credit. */
export interface NodeBeforeVendor {
  node: TestNode
  vendor: VendorServer
  key: TestKey
  /** Ends both. */
  stop: () => Promise<void>
}

export interface NodeBeforeVendorOptions extends Pick<TestNodeOptions, 'databaseUrl' | 'dataDir'> {
  /** What the vendor says by itself; absent: what a test has it say next. */
  vendor?: VendorServerOptions
  /** Absent: 100. */
  creditUsd?: string
}

/** @param input given the vendor, whose address the providers have */
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
