import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * NVIDIA's catalog of hosted models, each named by its publisher (`meta/llama-3.3-70b-instruct`). The trial
 * is free and production runs on one's own servers, so there is no price list: models and prices must be
 * configured. Some of its embedding models require `input_type`, `query` or `passage`.
 */
export const vendor: Vendor = {
  name: 'nvidia',
  title: 'NVIDIA NIM',
  ...openaiCompatible,
  baseUrl: 'https://integrate.api.nvidia.com/v1',
  alsoSpeaks: [
    {
      format: 'openai-embeddings',
      page: 'https://docs.nvidia.com/nim/nemo-retriever/text-embedding/latest/reference.html',
    },
    {
      format: 'openai-completions',
      page: 'https://docs.nvidia.com/nim/large-language-models/latest/api-reference.html',
      byDefault: true,
    },
  ],
  takesStreamOptions: true,
  outputBoundField: 'max_tokens',
  variable: 'NVIDIA_API_KEY',
  documentation: 'https://docs.api.nvidia.com/nim/reference/llm-apis',
  untried: true,
  paidFields: [],
  otherHosts: /^ai\.api\.nvidia\.com$/,
  pricedBy: [],
}
