import { cohereEmbed } from '../cohere-embed/vendor.ts'
import { decodeAwsError } from '../vendor-errors/aws-errors.ts'
import type { EmbedFormat } from '../vendor.ts'
import { decode } from './vendor/answer.ts'
import { formatRequest } from './vendor/request.ts'

/**
 * Cohere's embeddings at Amazon Bedrock:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html
 */
export const bedrockCohereEmbed: EmbedFormat = {
  ...cohereEmbed,
  name: 'bedrock-cohere-embed',
  operations: {
    embed: {
      ...cohereEmbed.operations.embed,
      path: (model) => `/model/${encodeURIComponent(model)}/invoke`,
      formatRequest,
      decode,
    },
  },
  decodeError: decodeAwsError,
}
