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

/** It has to be told what the vectors are for: those of texts to be found later are what most ask for. */
const usualInputType = 'search_document'

export function formatRequest(request: EmbedRequest, { model }: Target): Record<string, unknown> {
  const { dimensions, inputType } = request
  return {
    model,
    texts: textsOf(request),
    input_type: inputType === undefined ? usualInputType : wordFor(inputType, inputTypes),
    embedding_types: ['float'],
    ...(dimensions !== undefined && { output_dimension: dimensions }),
    // Its own default makes vectors of a part of a text that is too long, and says nothing.
    truncate: 'NONE',
  }
}
