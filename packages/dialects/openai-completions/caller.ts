import type { GenerateCaller } from '../caller.ts'
import { errorStatus, formatError } from '../openai-chat/caller/errors.ts'
import { formatResponse } from './caller/answer.ts'
import { fieldPath } from './caller/field-path.ts'
import { completionsNames } from './caller/fields.ts'
import { parseRequest } from './caller/request.ts'
import { CompletionsEncoder } from './caller/stream.ts'
import { patchAnswer } from './pass-through/answer.ts'
import { spliceRequest } from './pass-through/request.ts'
import { CompletionsStreamBridge } from './pass-through/stream.ts'

/** OpenAI's older completions: https://platform.openai.com/docs/api-reference/completions/create. */
export const openaiCompletionsCaller: GenerateCaller = {
  name: 'openai-completions',
  endpoint: 'completions',
  operation: 'generate',
  path: '/v1/completions',
  idPrefix: 'cmpl-',
  bodyExpected: 'a JSON object with model and prompt',
  names: completionsNames,
  parse: parseRequest,
  fieldPath,
  streams: {
    encoder: (head) => new CompletionsEncoder(head),
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
    conversation: ['prompt'],
    spliceRequest,
    openStream: (head, listener) => new CompletionsStreamBridge(head, listener),
    patchAnswer,
  },
}
