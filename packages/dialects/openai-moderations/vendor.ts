import type { ModerateFormat } from '../vendor.ts'
import { decode } from './vendor/answer.ts'
import { decodeError } from './vendor/errors.ts'
import { openaiModerationsFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'

/** OpenAI's moderations: https://platform.openai.com/docs/api-reference/moderations. */
export const openaiModerations: ModerateFormat = {
  name: 'openai-moderations',
  // https://platform.openai.com/docs/guides/moderation
  readsAddress: (kind) => kind === 'image',
  operations: {
    moderate: { fields: openaiModerationsFields, path: () => '/moderations', formatRequest, decode },
  },
  decodeError,
}
