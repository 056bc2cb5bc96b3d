import { bearer, type Vendor } from '../vendor.ts'

/** On one's own machine; it serves one model, which the configuration names. */
export const vendor: Vendor = {
  name: 'vllm',
  title: 'vLLM',
  style: 'openai',
  format: 'openai-chat',
  baseUrl: 'http://127.0.0.1:8000/v1',
  // Cached input is beside `input_tokens`: https://github.com/vllm-project/vllm/pull/40912.
  alsoSpeaks: [
    {
      format: 'jina-rerank',
      page: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html#re-rank-api',
    },
    {
      format: 'openai-embeddings',
      page: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html#embeddings-api',
    },
    {
      format: 'anthropic-messages',
      base: '',
      page: 'https://docs.vllm.ai/en/stable/serving/integrations/claude_code/',
    },
    {
      format: 'openai-responses',
      base: '/v1',
      page: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html#responses-api',
    },
    {
      format: 'openai-completions',
      page: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html#completions-api',
      byDefault: true,
    },
  ],
  keyHeader: bearer,
  headers: {},
  takesStreamOptions: true,
  variable: undefined,
  documentation: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
  untried: true,
  paidFields: 'none',
  pricedBy: [],
}
