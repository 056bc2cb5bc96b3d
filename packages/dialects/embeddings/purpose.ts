import { invalidRequest } from '@turnpike/protocol'

/** What vectors may be for. */
type Purpose =
  | 'query'
  | 'document'
  | 'classification'
  | 'clustering'
  | 'similarity'
  | 'question_answering'
  | 'fact_verification'
  | 'code_retrieval_query'

/** By the words of Cohere, Voyage, NVIDIA, Jina and Google, in lower case. */
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

/** A vendor's words, by what they are for. */
export type PurposeWords = Readonly<Partial<Record<Purpose, string>>>

/**
 * The vendor's word for what the vectors are for.
 * @throws {GatewayError} 400 naming `input_type` where nobody knows the word, or this vendor has none for it
 */
export function wordFor(inputType: string, words: PurposeWords): string {
  const purpose = purposes.get(inputType.toLowerCase())
  const word = purpose === undefined ? undefined : words[purpose]
  if (word !== undefined) return word
  const known = Object.keys(words).join(', ')
  throw invalidRequest('input_type', `input_type: expected one of ${known} for this model.`)
}
