import type { GenerateCall } from '@turnpike/dialects'
import type { ModelRequest } from '@turnpike/protocol'
import type { ServiceRules } from '../rules.ts'
import { mostUsesOf, servedUse, withUses } from './served-tools.ts'
import { servicesAsked } from './services-asked.ts'
import { unpricedPart } from './unpriced-parts.ts'
import { unpaidSearches, unpricedTool } from './unpriced-tools.ts'

/** Tools that vendors run themselves, searches, service tiers, and media at prices of their own. */
export const services: ServiceRules<ModelRequest, GenerateCall> = {
  asked: servicesAsked,
  mostUses: ({ tools }, provider) => mostUsesOf(tools, provider),
  withUses(request, provider, most) {
    const tools = withUses(request.tools, provider, most)
    return tools === request.tools ? request : { ...request, tools }
  },
  mostReadings: ({ tools }, provider) => servedUse(tools, provider).mostReadings,
  readsOn: ({ tools }, provider) => servedUse(tools, provider).readings > 1,
  unpriced: (said, candidate, rules, isOwnFormat) =>
    unpricedTool({ said, candidate, isOwnFormat }, rules) ?? unpricedPart(said, candidate, rules),
  unpaid: unpaidSearches,
}
