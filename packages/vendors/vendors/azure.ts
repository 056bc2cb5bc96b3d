import type { ReadFacts } from '../facts/facts.ts'
import { responsesTools } from '../paid-fields/paid-field.ts'
import type { Vendor } from '../vendor.ts'

const docs = 'https://learn.microsoft.com/en-us/azure'

/**
 * An operator's own resource: deployments below `/openai/deployments/`, with an `api-version`, or the newer
 * address that ends in `/openai/v1` and speaks OpenAI's own format
 * (https://learn.microsoft.com/en-us/azure/foundry/openai/api-version-lifecycle).
 */
export const vendor: Vendor = {
  name: 'azure',
  title: 'Azure OpenAI',
  style: 'openai',
  format: 'openai-chat',
  baseUrl: undefined,
  exampleBaseUrl: 'https://<resource>.openai.azure.com',
  addresses: [{ url: 'https://{resource}.openai.azure.com/openai/v1' }],
  paths: {
    generate: '/openai/deployments/{model}/chat/completions',
    embed: '/openai/deployments/{model}/embeddings',
  },
  plainBelow: '/v1',
  apiVersion: '2024-10-21',
  // Not below a deployment: the request's model is the deployment's name.
  alsoSpeaks: [
    {
      format: 'openai-responses',
      base: '/openai/v1',
      page: `${docs}/foundry/openai/how-to/responses`,
      byDefault: true,
    },
    { format: 'openai-completions', base: '/openai/v1', page: `${docs}/foundry/openai/latest` },
    { format: 'openai-embeddings', page: `${docs}/ai-foundry/openai/reference#embeddings` },
  ],
  keyHeader: { header: 'api-key', prefix: '' },
  // https://platform.openai.com/docs/api-reference/embeddings/create#embeddings-create-input
  batches: { embed: { inputs: 2_048, tokens: 300_000 } },
  takesStreamOptions: true,
  // "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'
  // instead."
  reasoningBoundField: 'max_completion_tokens',
  refusesReasoning: true,
  readsDetail: true,
  schemas: 'strict',
  variable: 'AZURE_OPENAI_API_KEY',
  documentation: `${docs}/ai-foundry/openai/reference`,
  paidFields: [
    responsesTools('https://azure.microsoft.com/pricing/details/azure-openai/'),
    // Searches of an index of the operator's, or of the caller's with the operator's identity.
    { field: 'data_sources', page: `${docs}/ai-foundry/openai/references/on-your-data` },
    // Text recognition and grounding by Azure Vision, at its own prices.
    { field: 'enhancements', free: 'empty', page: `${docs}/ai-services/openai/concepts/gpt-with-vision` },
  ],
  otherHosts: /\.(openai\.azure|services\.ai\.azure|cognitiveservices\.azure)\.com$/,
  pricedBy: ['azure', 'openai'],
}

export const facts: ReadFacts = async () => (await import('../facts/azure.ts')).azureFacts
