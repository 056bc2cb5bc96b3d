import type { ModerateCaller } from '../caller.ts'
import { formatModeration } from './caller/answer.ts'
import { errorStatus, formatError } from './caller/errors.ts'
import { moderationNames } from './caller/fields.ts'
import { parseRequest } from './caller/request.ts'
import { patchAnswer } from './pass-through/answer.ts'
import { spliceRequest } from './pass-through/request.ts'

/** OpenAI's moderations: https://platform.openai.com/docs/api-reference/moderations. */
export const openaiModerationsCaller: ModerateCaller = {
  name: 'openai-moderations',
  endpoint: 'moderations',
  operation: 'moderate',
  path: '/v1/moderations',
  idPrefix: 'modr-',
  bodyExpected: 'a JSON object with input',
  names: moderationNames,
  parse: parseRequest,
  formatModeration,
  formatError,
  errorStatus,
  answerHeaders: () => undefined,
  rateLimitStyle: 'openai',
  passThrough: { headers: [], spliceRequest, patchAnswer },
}
