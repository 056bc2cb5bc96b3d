import type { EmbedRequest, ModerateRequest } from '@turnpike/protocol'
import type { Call } from '../call.ts'
import type { SentRequest } from '../caller.ts'
import { withMembers } from '../json/members.ts'
import { leaveOutOwn, type Changes } from './own-metadata.ts'

/**
 * The caller's own bytes, except for the model's name and our own fields.
 * @param changes further changes of members
 */
export function splicePlain(
  { body, members, call, model, asUnderstood }: SentRequest<Call<EmbedRequest | ModerateRequest>>,
  changes: Changes = new Map(),
): Buffer {
  changes.set('model', JSON.stringify(model))
  for (const { key, valueStart, end } of members) {
    if (key === 'models' || key === 'stream') changes.set(key, undefined)
    else if (key === 'metadata') leaveOutOwn(body.subarray(valueStart, end), changes)
  }
  for (const name of asUnderstood) changes.set(name, JSON.stringify(call.request.extensions[name]))
  return withMembers(body, members, changes)
}
