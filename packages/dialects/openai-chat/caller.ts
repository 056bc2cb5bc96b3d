import { errorEnvelope } from '@turnpike/protocol'
import type { CallerFormat } from '../caller.ts'
import { chatNames } from './caller/fields.ts'
import { ChatEncoder } from './caller/stream.ts'
import { formatResponse } from './caller/answer.ts'
import { parseRequest } from './caller/request.ts'
import { patchAnswer, pricedUsage } from './pass-through/answer.ts'
import { spliceRequest } from './pass-through/request.ts'
import { ChatStreamBridge } from './pass-through/stream.ts'

/** OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat/create. */
export const openaiChatCaller: CallerFormat = {
  name: 'openai-chat',
  endpoint: 'chat.completions',
  path: '/v1/chat/completions',
  idPrefix: 'chatcmpl-',
  bodyExpected: 'a JSON object with model and messages',
  names: chatNames,
  parse: parseRequest,
  encoder: (head) => new ChatEncoder(head),
  formatResponse(response, head) {
    const said = formatResponse({ ...response, usage: undefined }, head)
    return (usage, cost) => (usage === undefined ? said : { ...said, usage: pricedUsage(usage, cost) })
  },
  formatError: errorEnvelope,
  errorStatus: ({ status }) => status,
  answerHeaders: () => undefined,
  rateLimitStyle: 'openai',
  keepAlive: ': keep-alive\n\n',
  passThrough: {
    headers: [],
    spliceRequest,
    openStream: (head, listener) => new ChatStreamBridge(head, listener),
    patchAnswer: (body, head) => (usage, cost) => patchAnswer(body, head, usage, cost),
  },
}
