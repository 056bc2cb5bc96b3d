import type { ReadFacts } from '../facts/facts.ts'
import { serviceTiers } from '../paid-field.ts'
import { bearer, type Vendor } from '../vendor.ts'

/** Sends comment lines (`: OPENROUTER PROCESSING`) until the first token, and numbers as error codes. */
export const vendor: Vendor = {
  name: 'openrouter',
  title: 'OpenRouter',
  style: 'openai',
  format: 'openai-chat',
  baseUrl: 'https://openrouter.ai/api/v1',
  alsoSpeaks: [
    {
      format: 'openai-embeddings',
      page: 'https://openrouter.ai/docs/api/reference/embeddings',
    },
    {
      format: 'openai-responses',
      base: '/v1',
      page: 'https://openrouter.ai/docs/api/api-reference/responses/create-a-response',
    },
    {
      format: 'openai-completions',
      page: 'https://openrouter.ai/docs/api-reference/completion',
      byDefault: true,
    },
  ],
  keyHeader: bearer,
  headers: {},
  takesStreamOptions: true,
  takesOpenRouterWords: true,
  schemas: 'strict',
  variable: 'OPENROUTER_API_KEY',
  documentation: 'https://openrouter.ai/docs/api-reference/chat-completion',
  paidFields: [
    // Context compression and healing of JSON cost nothing, nor does one that is turned off.
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
      page: 'https://openrouter.ai/docs/guides/features/plugins',
    },
    // It bills by who serves: these members leave the choice to its own order, which is by price.
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
      page: 'https://openrouter.ai/docs/features/provider-routing',
    },
    // Other models that answer in the place of this one, at their own prices: LiteLLM's servers know it, too.
    {
      field: 'fallbacks',
      page: 'https://openrouter.ai/docs/client-sdks/typescript/models/messagesrequest',
    },
    { field: 'preset', page: 'https://openrouter.ai/docs/features/presets' },
    {
      field: 'web_search_options',
      chargedBy: 'web_search',
      page: 'https://openrouter.ai/docs/features/web-search',
    },
    serviceTiers(
      ['auto', 'default', 'standard', 'standard_only', 'flex'],
      'https://openrouter.ai/docs/guides/features/service-tiers',
    ),
    {
      field: 'speed',
      free: { only: ['standard'] },
      page: 'https://openrouter.ai/docs/guides/features/service-tiers',
    },
    {
      field: 'image_config',
      free: 'empty',
      page: 'https://openrouter.ai/docs/features/multimodal/image-generation',
    },
    // A document that the model cannot read itself is read by an engine that costs by the page.
    {
      field: 'messages.file',
      page: 'https://openrouter.ai/docs/guides/overview/multimodal/pdfs',
    },
    // Dearer than text, at prices that the data does not have.
    {
      field: 'messages.input_audio',
      page: 'https://openrouter.ai/docs/guides/overview/multimodal/audio',
    },
    // Twice the price of input, and told as if it were written for five minutes.
    {
      field: 'messages.cache_control',
      free: { members: { type: 'any', ttl: ['5m'] } },
      page: 'https://openrouter.ai/docs/features/prompt-caching',
    },
    {
      field: 'cache_control',
      free: { members: { type: 'any', ttl: ['5m'] } },
      page: 'https://openrouter.ai/docs/features/prompt-caching',
    },
  ],
  pricedBy: ['openrouter'],
}

export const facts: ReadFacts = async () => (await import('../facts/openrouter.ts')).openrouterFacts
