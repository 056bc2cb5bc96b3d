import type { CallerFormat } from '../caller.ts'
import { formatResponse } from './caller/answer.ts'
import { formatError } from './caller/errors.ts'
import { fieldPath } from './caller/field-path.ts'
import { responsesNames } from './caller/fields.ts'
import { parseRequest } from './caller/request.ts'
import { ResponsesEncoder } from './caller/stream.ts'

/** OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses. */
export const openaiResponsesCaller: CallerFormat = {
  name: 'openai-responses',
  endpoint: 'responses',
  operation: 'generate',
  path: '/v1/responses',
  idPrefix: 'resp_',
  bodyExpected: 'a JSON object with model and input',
  names: responsesNames,
  parse: parseRequest,
  fieldPath,
  encoder: (head) => new ResponsesEncoder(head),
  formatResponse,
  formatError,
  errorStatus: ({ status }) => status,
  answerHeaders: () => undefined,
  rateLimitStyle: 'openai',
  streamType: 'text/event-stream; charset=utf-8',
  keepAlive: ': keep-alive\n\n',
  counting: {
    path: '/v1/responses/input_tokens',
    formatCount: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  },
}
