import type { ReadFacts } from '../facts/facts.ts'
import { serviceTiers } from '../paid-fields/paid-field.ts'
import { openaiCompatible, type Vendor } from '../vendor.ts'

const docs = 'https://openrouter.ai/docs'

/** Sends comment lines (`: OPENROUTER PROCESSING`) until the first token, and error codes as numbers. */
export const vendor: Vendor = {
  name: 'openrouter',
  title: 'OpenRouter',
  ...openaiCompatible,
  baseUrl: 'https://openrouter.ai/api/v1',
  alsoSpeaks: [
    { format: 'openai-embeddings', page: `${docs}/api/reference/embeddings` },
    {
      format: 'openai-responses',
      base: '/v1',
      page: `${docs}/api/api-reference/responses/create-a-response`,
    },
    { format: 'openai-completions', page: `${docs}/api-reference/completion`, byDefault: true },
  ],
  takesStreamOptions: true,
  takesOpenRouterWords: true,
  schemas: 'strict',
  variable: 'OPENROUTER_API_KEY',
  documentation: `${docs}/api-reference/chat-completion`,
  paidFields: [
    // Context compression and JSON repair are free, and so is a disabled plugin.
    {
      field: 'plugins',
      free: {
        each: {
          either: [
            { where: { id: ['response-healing', 'context-compression'] } },
            { where: { enabled: [false] } },
          ],
        },
      },
      page: `${docs}/guides/features/plugins`,
    },
    // The serving provider determines the price: these members leave the choice to OpenRouter's own order,
    // which is by price.
    {
      field: 'provider',
      free: {
        members: {
          allow_fallbacks: 'any',
          max_price: 'any',
          require_parameters: [false],
          data_collection: ['allow'],
          zdr: [false],
          sort: ['price'],
        },
      },
      page: `${docs}/features/provider-routing`,
    },
    // Other models that may answer instead, at their own prices. LiteLLM's servers support it, too.
    { field: 'fallbacks', page: `${docs}/client-sdks/typescript/models/messagesrequest` },
    { field: 'preset', page: `${docs}/features/presets` },
    { field: 'web_search_options', chargedBy: 'web_search', page: `${docs}/features/web-search` },
    serviceTiers(
      ['auto', 'default', 'standard', 'standard_only', 'flex'],
      `${docs}/guides/features/service-tiers`,
    ),
    { field: 'speed', free: { only: ['standard'] }, page: `${docs}/guides/features/service-tiers` },
    { field: 'image_config', free: 'empty', page: `${docs}/features/multimodal/image-generation` },
    // An engine billed by the page parses documents that the model cannot read itself.
    { field: 'messages.file', page: `${docs}/guides/overview/multimodal/pdfs` },
    // More expensive than text, at prices that the data lacks.
    { field: 'messages.input_audio', page: `${docs}/guides/overview/multimodal/audio` },
    // Twice the price of input, and reported as if it were written for five minutes.
    {
      field: 'messages.cache_control',
      free: { members: { type: 'any', ttl: ['5m'] } },
      page: `${docs}/features/prompt-caching`,
    },
    {
      field: 'cache_control',
      free: { members: { type: 'any', ttl: ['5m'] } },
      page: `${docs}/features/prompt-caching`,
    },
  ],
  pricedBy: ['openrouter'],
}

export const facts: ReadFacts = async () => (await import('../facts/openrouter.ts')).openrouterFacts
