import type { SentRequest } from '../../caller.ts'
import { withMembers } from '../../json/members.ts'
import { scanObject } from '../../json/scan.ts'
import { leaveOutOwn, type Changes } from '../../requests/own-metadata.ts'
import { ownMessages, tellsForeign } from './own-messages.ts'

/** The least that a model thinks for. */
const minBudget = 1_024

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
    else if (key === 'thinking') fitBudget(body.subarray(valueStart, end), sent, changes)
    else if (key === 'messages' && foreign)
      changes.set('messages', ownMessages(body.subarray(valueStart, end)))
  }
  for (const name of sent.asUnderstood)
    if (name !== partlySpoken) changes.set(name, JSON.stringify(call.request.extensions[name]))
  const { maxOutputTokens: bound } = sent
  if (bound !== undefined && bound !== call.request.maxOutputTokens) changes.set('max_tokens', String(bound))
  return withMembers(body, members, changes)
}

/**
 * A lowered bound leaves room for the answer: a budget that is not below it is refused, where it was below
 * the caller's own.
 */
function fitBudget(thinking: Buffer, { call, maxOutputTokens: bound }: SentRequest, changes: Changes): void {
  const { reasoning, maxOutputTokens: named = 0 } = call.request
  const budget = reasoning?.budgetTokens
  if (budget === undefined || bound === undefined || budget >= named || budget < bound) return
  const fitting = Math.max(minBudget, Math.floor(bound / 2))
  const changed = new Map([['budget_tokens', String(fitting)]])
  changes.set('thinking', withMembers(thinking, scanObject(thinking).members, changed).toString())
}
