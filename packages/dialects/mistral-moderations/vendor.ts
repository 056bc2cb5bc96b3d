import { openaiModerations } from '../openai-moderations/vendor.ts'
import type { ModerateFormat } from '../vendor.ts'
import { mistralModerationsFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'

/**
 * Mistral's moderations, whose answers are like OpenAI's: https://docs.mistral.ai/api/endpoint/classifiers.
 */
export const mistralModerations: ModerateFormat = {
  ...openaiModerations,
  name: 'mistral-moderations',
  readsAddress: () => false,
  operations: {
    moderate: {
      ...openaiModerations.operations.moderate,
      fields: mistralModerationsFields,
      formatRequest,
    },
  },
}
