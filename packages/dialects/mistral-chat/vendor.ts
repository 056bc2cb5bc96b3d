import { openaiChat } from '../openai-chat/vendor.ts'
import { unlessStreamed } from '../openai-chat/vendor/unseen-reasoning.ts'
import type { GenerateFormat } from '../vendor.ts'
import { mistralFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'

/** Mistral's chat completions (https://docs.mistral.ai/api/): answers like OpenAI's, requests of its own. */
export const mistralChat: GenerateFormat = {
  ...openaiChat,
  name: 'mistral-chat',
  operations: {
    generate: {
      ...openaiChat.operations.generate,
      fields: mistralFields,
      readsDocuments: true,
      formatRequest,
      mayReasonUnseen: unlessStreamed,
    },
  },
}
