import type { RerankRequest } from '@turnpike/protocol'
import type { FieldVisitor } from '../requests/field-table.ts'
import type { RequestWords } from '../requests/request-words.ts'
import { rerankFields } from './fields.ts'

const named: ReadonlySet<string> = new Set(rerankFields)
const omittable: ReadonlySet<string> = new Set(['max_tokens_per_doc', 'user', 'metadata', 'unknown'])

/** The fields of requests for a ranking. */
export const rerankWords: RequestWords<RerankRequest> = {
  visit,
  isOmittable: (field) => omittable.has(field),
  omit,
  mayBeLeftOut: (member, { extensions }) =>
    omittable.has(member) || (Object.hasOwn(extensions, member) && !named.has(member)),
  formatLeniently: ({ request, dropped }, vendor, target) => ({
    body: vendor.formatRequest(request, target),
    dropped,
  }),
}

function visit(request: RerankRequest, tell: FieldVisitor<string>): void {
  const { documents, rankFields, topN, returnDocuments, maxTokensPerDocument, user, extensions } = request
  tell('model', () => 'model')
  tell('query', () => 'query')
  if (documents.some((one) => typeof one === 'string')) tell('documents.text', () => 'documents')
  const object = documents.findIndex((one) => typeof one !== 'string')
  if (object !== -1) tell('documents.object', () => `documents[${object}]`)
  if (rankFields !== undefined) tell('rank_fields', () => 'rank_fields')
  if (topN !== undefined) tell('top_n', () => 'top_n')
  if (returnDocuments) tell('return_documents', () => 'return_documents')
  if (maxTokensPerDocument !== undefined) tell('max_tokens_per_doc', () => 'max_tokens_per_doc')
  if (user !== undefined) tell('user', () => 'user')
  for (const [name, value] of Object.entries(extensions))
    if (value !== null && value !== undefined) tell(named.has(name) ? name : 'unknown', () => name)
}

function omit(field: string, request: RerankRequest, paths: ReadonlySet<string>): RerankRequest {
  if (field === 'max_tokens_per_doc') return { ...request, maxTokensPerDocument: undefined }
  if (field === 'user') return { ...request, user: undefined }
  const kept = Object.entries(request.extensions).filter(([name]) => name !== field && !paths.has(name))
  return { ...request, extensions: Object.fromEntries(kept) }
}
