import type { CallerFormat } from '../caller.ts'
import { formatResponse } from './caller/answer.ts'
import { errorStatus, formatError } from './caller/errors.ts'
import { chatNames } from './caller/fields.ts'
import { parseRequest } from './caller/request.ts'
import { ChatEncoder } from './caller/stream.ts'
import { patchAnswer } from './pass-through/answer.ts'
import { spliceRequest } from './pass-through/request.ts'
import { ChatStreamBridge } from './pass-through/stream.ts'

/** OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat/create. */
export const openaiChatCaller: CallerFormat = {
  name: 'openai-chat',
  endpoint: 'chat.completions',
  operation: 'generate',
  path: '/v1/chat/completions',
  idPrefix: 'chatcmpl-',
  bodyExpected: 'a JSON object with model and messages',
  names: chatNames,
  parse: parseRequest,
  encoder: (head) => new ChatEncoder(head),
  formatResponse,
  formatError,
  errorStatus,
  answerHeaders: () => undefined,
  rateLimitStyle: 'openai',
  streamType: 'text/event-stream; charset=utf-8',
  keepAlive: ': keep-alive\n\n',
  passThrough: {
    headers: [],
    conversation: ['messages'],
    spliceRequest,
    openStream: (head, listener) => new ChatStreamBridge(head, listener),
    patchAnswer,
  },
}
