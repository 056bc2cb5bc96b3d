import { openaiChat } from '../openai-chat/vendor.ts'
import type { GenerateFormat } from '../vendor.ts'
import { decodeResponse } from './vendor/answer.ts'
import { completionsFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'
import { CompletionsDecoder } from './vendor/stream.ts'

/**
 * OpenAI's older completions (https://platform.openai.com/docs/api-reference/completions), which continue a
 * text. What surrounds the text is the same as in chat completions.
 */
export const openaiCompletions: GenerateFormat = {
  ...openaiChat,
  name: 'openai-completions',
  operations: {
    generate: {
      ...openaiChat.operations.generate,
      fields: completionsFields,
      path: () => '/completions',
      formatRequest,
      decoder: () => new CompletionsDecoder(undefined),
      decodeResponse,
    },
  },
}
