import type { GenerateCaller } from '../caller.ts'
import { formatResponse } from './caller/answer.ts'
import { formatError } from './caller/errors.ts'
import { fieldPath } from './caller/field-path.ts'
import { responsesNames } from './caller/fields.ts'
import { keptResponses } from './caller/kept.ts'
import { parseRequest } from './caller/request.ts'
import { ResponsesEncoder } from './caller/stream.ts'
import { patchAnswer } from './pass-through/answer.ts'
import { compactionOf } from './pass-through/compaction.ts'
import { spliceRequest } from './pass-through/request.ts'
import { ResponsesStreamBridge } from './pass-through/stream.ts'

/** https://platform.openai.com/docs/api-reference/responses/input-tokens */
const countedMembers: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'parallel_tool_calls',
  'personality',
  'reasoning',
  'text',
  'tool_choice',
  'tools',
  'truncation',
])

const responses: GenerateCaller = {
  name: 'openai-responses',
  endpoint: 'responses',
  operation: 'generate',
  path: '/v1/responses',
  idPrefix: 'resp_',
  bodyExpected: 'a JSON object with model and input',
  names: responsesNames,
  parse: (body, _to, keeping) => parseRequest(body, keeping),
  fieldPath,
  streams: {
    encoder: (head) => new ResponsesEncoder(head),
    type: 'text/event-stream; charset=utf-8',
    keepAlive: ': keep-alive\n\n',
  },
  formatResponse,
  formatError,
  errorStatus: ({ status }) => status,
  answerHeaders: () => undefined,
  rateLimitStyle: 'openai',
  kept: keptResponses,
  counting: {
    path: '/v1/responses/input_tokens',
    members: countedMembers,
    formatCount: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  },
  passThrough: {
    // With it, Codex says that its tools come as an item of the input.
    headers: ['x-openai-internal-codex-responses-lite'],
    conversation: ['input', 'instructions'],
    spliceRequest,
    openStream: (head, listener) => new ResponsesStreamBridge(head, listener),
    patchAnswer,
  },
}

/** OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses. */
export const openaiResponsesCaller: GenerateCaller = { ...responses, further: [compactionOf(responses)] }
