import type { RerankRequest } from '@turnpike/protocol'
import type { Call } from '../../call.ts'
import type { SentRequest } from '../../caller.ts'
import { withMembers } from '../../json/members.ts'
import type { Changes } from '../../requests/own-metadata.ts'
import { textsOf } from '../../rerank/texts.ts'

/** Members that are ours, that the gateway handles, or that the vendor lacks: it returns no documents. */
const unsent: ReadonlySet<string> = new Set([
  'models',
  'stream',
  'return_documents',
  'rank_fields',
  'user',
  'metadata',
])

/** The caller's own bytes, except for the model's name, our own fields, and documents that are not texts. */
export function spliceRequest(sent: SentRequest<Call<RerankRequest>>): Buffer {
  const { body, members, call } = sent
  const { documents, extensions } = call.request
  const changes: Changes = new Map([['model', JSON.stringify(sent.model)]])
  for (const { key } of members) if (unsent.has(key)) changes.set(key, undefined)
  if (documents.some((one) => typeof one !== 'string'))
    changes.set('documents', JSON.stringify(textsOf(call.request)))
  for (const name of sent.asUnderstood) changes.set(name, JSON.stringify(extensions[name]))
  return withMembers(body, members, changes)
}
