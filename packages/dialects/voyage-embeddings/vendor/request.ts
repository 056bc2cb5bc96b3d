import type { EmbedRequest } from '@turnpike/protocol'
import { wordFor, type PurposeWords } from '../../embeddings/purpose.ts'
import { textsOf } from '../../embeddings/texts.ts'
import type { Target } from '../../vendor.ts'

const inputTypes: PurposeWords = { query: 'query', document: 'document' }

export function formatRequest(request: EmbedRequest, { model }: Target): Record<string, unknown> {
  const { dimensions, inputType, encoding } = request
  return {
    model,
    input: textsOf(request),
    ...(inputType !== undefined && { input_type: wordFor(inputType, inputTypes) }),
    ...(dimensions !== undefined && { output_dimension: dimensions }),
    // Numbers are the default, for which it has no name.
    ...(encoding === 'base64' && { encoding_format: encoding }),
    // By default, Voyage silently embeds only a part of a text that is too long.
    truncation: false,
  }
}
