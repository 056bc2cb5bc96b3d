import Anthropic from '@anthropic-ai/sdk'
import type { ConfigurationInput } from '../../../../apps/server/configuration/schema/schema.ts'
import { startNodeBeforeVendor, type NodeBeforeVendor } from '../../../nodes/node-before-vendor.ts'
import { object, type Json } from '../../vendors/oracle/json.ts'
import { styledInput, type StyleName } from '../../vendors/scripted/styled-vendor.ts'
import { featureVendor } from './feature-vendor.ts'

/** A gateway in front of a vendor of each style whose behaviour each request selects. */
export interface FeatureNode extends NodeBeforeVendor {
  /** The official SDK. */
  client: Anthropic
  /** The bodies that the vendor of a style got for requests with this text, in order. */
  asked(style: StyleName, marker: string): Json[]
}

export async function startFeatureNode(more: ConfigurationInput = {}): Promise<FeatureNode> {
  const world = await startNodeBeforeVendor(
    (vendor) => ({ ...styledInput(vendor), billing: { read_on_seconds: 0 }, ...more }),
    { vendor: { vendor: featureVendor() } },
  )
  return {
    ...world,
    client: new Anthropic({ apiKey: world.key.raw, baseURL: world.node.origin, maxRetries: 0 }),
    asked: (style, marker) =>
      world.vendor.journal.entries
        .filter(({ request }) => request.path.startsWith(`/${style}/`) && request.body.includes(marker))
        .map(({ request }) => object(JSON.parse(request.body.toString()))),
  }
}
