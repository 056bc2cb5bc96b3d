import Anthropic from '@anthropic-ai/sdk'
import { startVendorServer, type VendorServer } from '@turnpike/simulators'
import type { ConfigurationInput } from '../../../../apps/server/configuration/schema.ts'
import { startTestNode, type TestKey, type TestNode } from '../../../nodes/test-node.ts'
import { object, type Json } from '../../vendors/oracle/json.ts'
import { styledInput, type StyleName } from '../../vendors/scripted/styled-vendor.ts'
import { featureVendor } from './feature-vendor.ts'

/** A gateway before a vendor of each style that does what a request asks of it. */
export interface FeatureNode {
  node: TestNode
  vendor: VendorServer
  key: TestKey
  /** The official SDK. */
  client: Anthropic
  /** The bodies that the vendor of a style got for requests that hold this text, in order. */
  asked(style: StyleName, marker: string): Json[]
  stop(): Promise<void>
}

export async function startFeatureNode(more: ConfigurationInput = {}): Promise<FeatureNode> {
  const vendor = await startVendorServer({ vendor: featureVendor() })
  const input = { ...styledInput(vendor), billing: { read_on_seconds: 0 }, ...more }
  const node = await startTestNode({ input })
  const key = await node.createKey()
  return {
    node,
    vendor,
    key,
    client: new Anthropic({ apiKey: key.raw, baseURL: node.origin, maxRetries: 0 }),
    asked: (style, marker) =>
      vendor.journal.entries
        .filter(({ request }) => request.path.startsWith(`/${style}/`) && request.body.includes(marker))
        .map(({ request }) => object(JSON.parse(request.body.toString()))),
    async stop() {
      await node.stop()
      await vendor.close()
    },
  }
}
