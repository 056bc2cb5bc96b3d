import { invalidRequest, type RerankDocument, type RerankRequest } from '@turnpike/protocol'
import type { Call } from '../../call.ts'
import { explainMistakes } from '../../json/explain.ts'
import { firstMistakes } from '../../json/first-mistakes.ts'
import { callOf } from '../../requests/call-of.ts'
import { referencesIn } from '../../requests/references.ts'
import { rerankReferences } from './references.ts'
import { RerankRequestSchema, rerankRequestValidator, type RerankBody } from './request-schema.ts'

/** Fields that `RerankRequest` has, or that belong to the gateway. */
const knownFields: ReadonlySet<string> = new Set(Object.keys(RerankRequestSchema.properties))

/**
 * Parses the body of `POST /v1/rerank`.
 * @throws {GatewayError} 400 that names the first wrong field
 */
export function parseRequest(body: object): Call<RerankRequest> {
  if (!rerankRequestValidator.Check(body))
    throw explainMistakes(RerankRequestSchema, firstMistakes(RerankRequestSchema, body))
  requireTexts(body.documents)
  return callOf(rerankRequest(body), body, referencesIn(body, rerankReferences))
}

/**
 * Jina's `{"image": "https://…"}` is an image. Other objects are sent as JSON, so its address would be
 * ranked, and paid for.
 */
function requireTexts(documents: readonly RerankDocument[]): void {
  const at = documents.findIndex((one) => typeof one !== 'string' && isImage(one))
  if (at === -1) return
  const path = `documents[${at}].image`
  throw invalidRequest(path, `${path}: expected text, such as {"text": "…"}. Images cannot be ranked.`)
}

function isImage(document: Readonly<Record<string, unknown>>): boolean {
  return typeof document['image'] === 'string' && Object.keys(document).length === 1
}

function rerankRequest(body: RerankBody): RerankRequest {
  const further = Object.entries(body).filter(([name]) => !knownFields.has(name))
  return {
    model: body.model,
    query: body.query,
    documents: body.documents,
    topN: body.top_n ?? undefined,
    returnDocuments: body.return_documents ?? false,
    maxTokensPerDocument: body.max_tokens_per_doc ?? undefined,
    rankFields: body.rank_fields ?? undefined,
    user: body.user ?? undefined,
    stream: false,
    maxOutputTokens: undefined,
    extensions: Object.fromEntries(further),
  }
}
