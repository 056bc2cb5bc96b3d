import type { GenerateCall } from '@turnpike/dialects'
import type { ModelRequest } from '@turnpike/protocol'
import type { ServiceRules } from '../rules.ts'
import { mostUsesOf, servedUseOf, withUses } from './served-tools.ts'
import { findRequestedServices } from './requested-services.ts'
import { findUnpricedPart } from './unpriced-parts.ts'
import { unpaidSearches, findUnpricedTool } from './unpriced-tools.ts'

/** Vendor-run tools, searches, service tiers, and media with prices of their own. */
export const services: ServiceRules<ModelRequest, GenerateCall> = {
  listServices: findRequestedServices,
  mostUses: ({ tools }, provider) => mostUsesOf(tools, provider),
  withUses(request, provider, most) {
    const tools = withUses(request.tools, provider, most)
    return tools === request.tools ? request : { ...request, tools }
  },
  mostReadings: ({ tools }, provider) => servedUseOf(tools, provider).mostReadings,
  readsOn: ({ tools }, provider) => servedUseOf(tools, provider).readings > 1,
  findUnpriced: (sent, candidate, rules, isOwnFormat) =>
    findUnpricedTool({ sent, candidate, isOwnFormat }, rules) ?? findUnpricedPart(sent, candidate, rules),
  unpaid: unpaidSearches,
}
