import type { EmbedFormat } from '../vendor.ts'
import { decode } from './vendor/answer.ts'
import { decodeError } from './vendor/errors.ts'
import { titanFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'

/**
 * Amazon's Titan embeddings at Bedrock, one text per call:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html
 */
export const bedrockTitan: EmbedFormat = {
  name: 'bedrock-titan',
  readsAddress: () => false,
  operations: {
    embed: {
      fields: titanFields,
      path: (model) => `/model/${encodeURIComponent(model)}/invoke`,
      formatRequest,
      decode,
    },
  },
  decodeError,
}
