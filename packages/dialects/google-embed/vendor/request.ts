import type { EmbedRequest } from '@turnpike/protocol'
import { wordFor, type PurposeWords } from '../../embeddings/purpose.ts'
import { textsOf } from '../../embeddings/texts.ts'
import type { Target } from '../../vendor.ts'

/** https://ai.google.dev/api/embeddings#v1beta.TaskType */
const taskTypes: PurposeWords = {
  query: 'RETRIEVAL_QUERY',
  document: 'RETRIEVAL_DOCUMENT',
  classification: 'CLASSIFICATION',
  clustering: 'CLUSTERING',
  similarity: 'SEMANTIC_SIMILARITY',
  question_answering: 'QUESTION_ANSWERING',
  fact_verification: 'FACT_VERIFICATION',
  code_retrieval_query: 'CODE_RETRIEVAL_QUERY',
}

/** Each text is a request of its own there. */
export function formatRequest(request: EmbedRequest, { model }: Target): Record<string, unknown> {
  const { dimensions, inputType } = request
  const settings = {
    model: `models/${model}`,
    ...(inputType !== undefined && { taskType: wordFor(inputType, taskTypes) }),
    ...(dimensions !== undefined && { outputDimensionality: dimensions }),
  }
  return { requests: textsOf(request).map((text) => ({ ...settings, content: { parts: [{ text }] } })) }
}
