import type { ModerateRequest } from '@turnpike/protocol'
import type { Call } from '../../call.ts'
import type { SentRequest } from '../../caller.ts'
import { withMembers } from '../../json/members.ts'
import { leaveOutOwn, type Changes } from '../../requests/own-metadata.ts'

/** The caller's own bytes, but for the model's name and our own fields. */
export function spliceRequest(sent: SentRequest<Call<ModerateRequest>>): Buffer {
  const { body, members, call } = sent
  const changes: Changes = new Map([['model', JSON.stringify(sent.model)]])
  for (const { key, valueStart, end } of members) {
    if (key === 'models' || key === 'stream') changes.set(key, undefined)
    else if (key === 'metadata') leaveOutOwn(body.subarray(valueStart, end), changes)
  }
  for (const name of sent.asUnderstood) changes.set(name, JSON.stringify(call.request.extensions[name]))
  return withMembers(body, members, changes)
}
