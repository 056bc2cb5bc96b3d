import { startVendorServer } from '@turnpike/simulators'
import type { ConfigurationInput } from '../configuration/schema.ts'
import type { databases } from '../testing/databases.ts'
import { startTestNode, type TestNode } from '../testing/test-node.ts'

export interface VendorNode {
  node: TestNode
  stop(): Promise<void>
}

/** A node on a database of its own, and a simulated vendor behind it. */
export async function startVendorNode(
  create: ReturnType<typeof databases>[number]['create'],
  input: (vendorUrl: string) => ConfigurationInput,
): Promise<VendorNode> {
  const vendor = await startVendorServer()
  const { url, drop } = await create()
  const node = await startTestNode({
    ...(url === undefined ? {} : { databaseUrl: url }),
    input: input(vendor.baseUrl()),
  })
  return {
    node,
    async stop() {
      await node.stop()
      await vendor.close()
      await drop()
    },
  }
}
