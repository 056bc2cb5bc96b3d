import type { SentRequest } from '../../caller.ts'
import { withMembers } from '../../json/members.ts'
import { leaveOutOwn, type Changes } from '../../requests/own-metadata.ts'
import { fitBudget } from '../../requests/lowered-bound.ts'
import { ownMessages, tellsForeign } from './own-messages.ts'

/** Its own words are in part said in ours: what is left of it is not what the caller wrote. */
const partlySpoken = 'output_config'

/**
 * The caller's own bytes, but for what must change: the model's name, our own fields, the bound where it was
 * lowered, and what other vendors put into the conversation.
 */
export function spliceRequest(sent: SentRequest): Buffer {
  const { body, members, call } = sent
  const changes: Changes = new Map([['model', JSON.stringify(sent.model)]])
  const foreign = tellsForeign(call)
  for (const { key, valueStart, end } of members) {
    if (key === 'models') changes.set('models', undefined)
    else if (key === 'metadata') leaveOutOwn(body.subarray(valueStart, end), changes)
    else if (key === 'thinking')
      fitBudget(body.subarray(valueStart, end), sent, { member: key, name: 'budget_tokens', changes })
    else if (key === 'messages' && foreign)
      changes.set('messages', ownMessages(body.subarray(valueStart, end)))
  }
  for (const name of sent.asUnderstood)
    if (name !== partlySpoken) changes.set(name, JSON.stringify(call.request.extensions[name]))
  const { maxOutputTokens: bound } = sent
  if (bound !== undefined && bound !== call.request.maxOutputTokens) changes.set('max_tokens', String(bound))
  return withMembers(body, members, changes)
}
