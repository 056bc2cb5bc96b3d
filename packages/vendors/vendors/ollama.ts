import { openaiCompatible, type Vendor } from '../vendor.ts'

/** Self-hosted; it has whatever models were pulled, so the configuration lists them. */
export const vendor: Vendor = {
  name: 'ollama',
  title: 'Ollama',
  ...openaiCompatible,
  baseUrl: 'http://127.0.0.1:11434/v1',
  alsoSpeaks: [
    { format: 'openai-embeddings', page: 'https://docs.ollama.com/api/openai-compatibility' },
    { format: 'anthropic-messages', base: '', page: 'https://docs.ollama.com/api/anthropic-compatibility' },
    {
      format: 'openai-completions',
      page: 'https://docs.ollama.com/api/openai-compatibility',
      byDefault: true,
    },
  ],
  takesStreamOptions: true,
  // It accepts `max_completion_tokens` and ignores it: https://github.com/ollama/ollama/issues/7125.
  outputBoundField: 'max_tokens',
  variable: undefined,
  documentation: 'https://docs.ollama.com/api/openai-compatibility',
  untried: true,
  paidFields: 'none',
  pricedBy: [],
}
