import type { ReadFacts } from '../facts/facts.ts'
import { ownTools } from '../paid-fields/paid-field.ts'
import { bearer, type Vendor } from '../vendor.ts'

/** 422 for `stream_options` (openai/openai-agents-python#442); a stream's last chunk always has the usage. */
export const vendor: Vendor = {
  name: 'mistral',
  title: 'Mistral AI',
  style: 'mistral',
  format: 'mistral-chat',
  baseUrl: 'https://api.mistral.ai/v1',
  // For models that complete code, according to the catalog.
  alsoSpeaks: [
    { format: 'mistral-fim', page: 'https://docs.mistral.ai/api/endpoint/fim' },
    { format: 'mistral-embeddings', page: 'https://docs.mistral.ai/api/endpoint/embeddings' },
    { format: 'mistral-moderations', page: 'https://docs.mistral.ai/api/endpoint/classifiers' },
  ],
  // "Too many tokens in batch. Max is 16384" (https://github.com/aurelio-labs/semantic-router/issues/297);
  // "Too many inputs in request" beyond 512 (https://github.com/raphaelmansuy/edgequake-llm/pull/74).
  batches: { embed: { inputs: 512, tokens: 16_000 } },
  keyHeader: bearer,
  takesStreamOptions: false,
  variable: 'MISTRAL_API_KEY',
  documentation: 'https://docs.mistral.ai/api/',
  paidFields: [
    // Its connectors and built-in tools, which it also runs within a chat completion.
    ownTools('https://docs.mistral.ai/cookbooks/mistral-connectors-05-connectors-in-completions'),
    { field: 'agent_id', page: 'https://docs.mistral.ai/agents/introduction' },
    // Billed by the second, for which the data has no price.
    { field: 'messages.input_audio', page: 'https://mistral.ai/pricing#api-pricing' },
  ],
  pricedBy: ['mistral'],
}

export const facts: ReadFacts = async () => (await import('../facts/mistral.ts')).mistralFacts
