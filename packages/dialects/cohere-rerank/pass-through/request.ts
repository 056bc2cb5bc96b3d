import type { RerankRequest } from '@turnpike/protocol'
import type { Call } from '../../call.ts'
import type { SentRequest } from '../../caller.ts'
import { withMembers } from '../../json/members.ts'
import { leaveOutOwn, type Changes } from '../../requests/own-metadata.ts'
import { textsOf } from '../../rerank/texts.ts'

/** Members that are ours, or that we see to: the vendor gives no documents back. */
const ours: ReadonlySet<string> = new Set(['models', 'stream', 'return_documents', 'rank_fields', 'user'])

/** The caller's own bytes, but for the model's name, our own fields, and documents that are no texts. */
export function spliceRequest(sent: SentRequest<Call<RerankRequest>>): Buffer {
  const { body, members, call } = sent
  const { documents, extensions } = call.request
  const changes: Changes = new Map([['model', JSON.stringify(sent.model)]])
  for (const { key, valueStart, end } of members) {
    if (ours.has(key)) changes.set(key, undefined)
    else if (key === 'metadata') leaveOutOwn(body.subarray(valueStart, end), changes)
  }
  if (documents.some((one) => typeof one !== 'string'))
    changes.set('documents', JSON.stringify(textsOf(call.request)))
  for (const name of sent.asUnderstood) changes.set(name, JSON.stringify(extensions[name]))
  return withMembers(body, members, changes)
}
