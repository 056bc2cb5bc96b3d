import { openaiChat } from '../openai-chat/vendor.ts'
import type { GenerateFormat } from '../vendor.ts'
import { fimFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'

/**
 * Mistral's completion of code between a prefix and a suffix (https://docs.mistral.ai/api/, endpoint fim):
 * requests of its own, answers like those of chat completions.
 */
export const mistralFim: GenerateFormat = {
  ...openaiChat,
  name: 'mistral-fim',
  callers: 'openai-completions',
  operations: {
    generate: {
      ...openaiChat.operations.generate,
      fields: fimFields,
      path: () => '/fim/completions',
      formatRequest,
    },
  },
}
