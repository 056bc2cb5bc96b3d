import { openaiChat } from '../openai-chat/vendor.ts'
import { unlessStreamed } from '../openai-chat/vendor/unseen-reasoning.ts'
import type { GenerateFormat } from '../vendor.ts'
import { deepseekFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'

/**
 * DeepSeek's chat completions (https://api-docs.deepseek.com): answers like OpenAI's, and nearly the same
 * requests.
 */
export const deepseekChat: GenerateFormat = {
  ...openaiChat,
  name: 'deepseek-chat',
  operations: {
    generate: {
      ...openaiChat.operations.generate,
      fields: deepseekFields,
      formatRequest,
      mayReasonUnseen: unlessStreamed,
    },
  },
}
