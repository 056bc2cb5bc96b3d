import type { VendorDialect } from '../dialect.ts'
import { openaiChat } from '../openai-chat/dialect.ts'
import { deepseekFields } from './fields.ts'
import { formatRequest } from './format-request.ts'

/** DeepSeek's chat completions (https://api-docs.deepseek.com): answers as OpenAI's, requests nearly so. */
export const deepseekChat: VendorDialect = {
  ...openaiChat,
  name: 'deepseek-chat',
  fields: deepseekFields,
  formatRequest,
}
