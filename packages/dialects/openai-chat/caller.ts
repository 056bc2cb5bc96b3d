import type { GenerateCaller } from '../caller.ts'
import { formatResponse } from './caller/answer.ts'
import { errorStatus, formatError } from './caller/errors.ts'
import { chatNames } from './caller/fields.ts'
import { parseRequest } from './caller/request.ts'
import { ChatEncoder } from './caller/stream.ts'
import { patchAnswer } from './pass-through/answer.ts'
import { spliceRequest } from './pass-through/request.ts'
import { ChatStreamBridge } from './pass-through/stream.ts'

/** OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat/create. */
export const openaiChatCaller: GenerateCaller = {
  name: 'openai-chat',
  endpoint: 'chat.completions',
  operation: 'generate',
  path: '/v1/chat/completions',
  idPrefix: 'chatcmpl-',
  bodyExpected: 'a JSON object with model and messages',
  names: chatNames,
  parse: parseRequest,
  streams: {
    encoder: (head) => new ChatEncoder(head),
    type: 'text/event-stream; charset=utf-8',
    keepAlive: ': keep-alive\n\n',
  },
  formatResponse,
  formatError,
  errorStatus,
  answerHeaders: () => undefined,
  rateLimitStyle: 'openai',
  passThrough: {
    headers: [],
    conversation: ['messages'],
    spliceRequest,
    openStream: (head, listener) => new ChatStreamBridge(head, listener),
    patchAnswer,
  },
}
