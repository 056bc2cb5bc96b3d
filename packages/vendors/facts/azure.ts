import type { FormatName } from '@turnpike/dialects'
import type { VendorFacts } from './facts.ts'
import { openaiFacts } from './openai.ts'

const there: ReadonlySet<FormatName> = new Set(['openai-responses', 'openai-embeddings'])

/** Models that only OpenAI serves. */
const notThere = /-chat-latest$|^gpt-3\.5-turbo$|^o1-pro$|^o4-mini-deep-research$/

/**
 * OpenAI's models, deployed under their own names
 * (https://learn.microsoft.com/en-us/azure/ai-foundry/openai); a deployment with another name is a model in
 * the configuration. The data uses OpenAI's prices where it has none of Azure's; those are of "Global"
 * deployments.
 */
export const azureFacts: VendorFacts = {
  ...openaiFacts,
  groups: openaiFacts.groups
    .filter(({ formats }) => formats === undefined || formats.some((format) => there.has(format)))
    .map((group) => ({
      ...group,
      models: Object.fromEntries(Object.entries(group.models).filter(([id]) => !notThere.test(id))),
    })),
}
