import type { RerankDocument, RerankRequest } from '@turnpike/protocol'

/**
 * The documents as texts. An object becomes its `rank_fields`, or its `text` if it has nothing else, or JSON,
 * which is what vendors that only read text expect
 * (https://docs.cohere.com/reference/rerank#request.body.documents).
 */
export function textsOf({ documents, rankFields }: RerankRequest): string[] {
  return documents.map((document) => textOf(document, rankFields))
}

export function textOf(document: RerankDocument, rankFields: readonly string[] | undefined): string {
  if (typeof document === 'string') return document
  const names = Object.keys(document)
  if (rankFields !== undefined) return JSON.stringify(membersOf(document, rankFields))
  const { text } = document
  return typeof text === 'string' && names.length === 1 ? text : JSON.stringify(document)
}

function membersOf(document: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(document, name)).map((name) => [name, document[name]]),
  )
}
