import type { VendorDialect } from '../dialect.ts'
import { openaiChat } from '../openai-chat/dialect.ts'
import { mistralFields } from './fields.ts'
import { formatRequest } from './format-request.ts'

/** Mistral's chat completions (https://docs.mistral.ai/api/): answers as OpenAI's, requests of its own. */
export const mistralChat: VendorDialect = {
  ...openaiChat,
  name: 'mistral-chat',
  fields: mistralFields,
  formatRequest,
}
