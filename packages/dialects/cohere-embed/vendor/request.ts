import type { EmbedRequest } from '@turnpike/protocol'
import { wordFor, type PurposeWords } from '../../embeddings/purpose.ts'
import { textsOf } from '../../embeddings/texts.ts'
import type { Target } from '../../vendor.ts'

const inputTypes: PurposeWords = {
  query: 'search_query',
  document: 'search_document',
  classification: 'classification',
  clustering: 'clustering',
}

/** Cohere requires the vectors' purpose. The most common one is to be found by a later search. */
const usualInputType = 'search_document'

export function formatRequest(request: EmbedRequest, { model }: Target): Record<string, unknown> {
  const { dimensions, inputType } = request
  return {
    model,
    texts: textsOf(request),
    input_type: inputType === undefined ? usualInputType : wordFor(inputType, inputTypes),
    embedding_types: ['float'],
    ...(dimensions !== undefined && { output_dimension: dimensions }),
    // By default, Cohere silently embeds only a part of a text that is too long.
    truncate: 'NONE',
  }
}
