import { openaiCompatible, type Vendor } from '../vendor.ts'

const docs = 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html'

/** Self-hosted; it serves one model, which the configuration names. */
export const vendor: Vendor = {
  name: 'vllm',
  title: 'vLLM',
  ...openaiCompatible,
  baseUrl: 'http://127.0.0.1:8000/v1',
  // Cached input is not part of `input_tokens`: https://github.com/vllm-project/vllm/pull/40912.
  alsoSpeaks: [
    { format: 'jina-rerank', page: `${docs}#re-rank-api` },
    { format: 'openai-embeddings', page: `${docs}#embeddings-api` },
    {
      format: 'anthropic-messages',
      base: '',
      page: 'https://docs.vllm.ai/en/stable/serving/integrations/claude_code/',
    },
    { format: 'openai-responses', base: '/v1', page: `${docs}#responses-api` },
    { format: 'openai-completions', page: `${docs}#completions-api`, byDefault: true },
  ],
  takesStreamOptions: true,
  variable: undefined,
  documentation: docs,
  untried: true,
  paidFields: 'none',
  pricedBy: [],
}
