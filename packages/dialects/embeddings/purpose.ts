import { invalidRequest } from '@turnpike/protocol'

/** The purposes that vectors may have. */
type Purpose =
  | 'query'
  | 'document'
  | 'classification'
  | 'clustering'
  | 'similarity'
  | 'question_answering'
  | 'fact_verification'
  | 'code_retrieval_query'

/** By the names of Cohere, Voyage, NVIDIA, Jina and Google, in lower case. */
const purposes: ReadonlyMap<string, Purpose> = new Map<string, Purpose>([
  ['query', 'query'],
  ['search_query', 'query'],
  ['retrieval.query', 'query'],
  ['retrieval_query', 'query'],
  ['document', 'document'],
  ['passage', 'document'],
  ['search_document', 'document'],
  ['retrieval.passage', 'document'],
  ['retrieval_document', 'document'],
  ['classification', 'classification'],
  ['clustering', 'clustering'],
  ['separation', 'clustering'],
  ['similarity', 'similarity'],
  ['semantic_similarity', 'similarity'],
  ['text-matching', 'similarity'],
  ['question_answering', 'question_answering'],
  ['fact_verification', 'fact_verification'],
  ['code_retrieval_query', 'code_retrieval_query'],
])

/** A vendor's names, by purpose. */
export type PurposeWords = Readonly<Partial<Record<Purpose, string>>>

/**
 * The vendor's name for the purpose of the vectors.
 * @throws {GatewayError} 400 that names `input_type`, for an unknown purpose or one that this vendor does not
 * have
 */
export function wordFor(inputType: string, words: PurposeWords): string {
  const purpose = purposes.get(inputType.toLowerCase())
  const word = purpose === undefined ? undefined : words[purpose]
  if (word !== undefined) return word
  const known = Object.keys(words).join(', ')
  throw invalidRequest('input_type', `input_type: expected one of ${known} for this model.`)
}
