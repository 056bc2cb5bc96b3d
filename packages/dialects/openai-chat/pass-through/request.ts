import type { ModelRequest } from '@turnpike/protocol'
import type { SentRequest } from '../../caller.ts'
import { withMembers } from '../../json/members.ts'
import { outputBoundFields, type OutputBoundField } from '../../requests/output-bounds.ts'
import { fitBudget } from '../../requests/lowered-bound.ts'
import { leaveOutOwn, type Changes } from '../../requests/own-metadata.ts'
import type { VendorQuirks } from '../../vendor-quirks.ts'
import { isOpenRouterField } from './openrouter-fields.ts'
import { ownMessages, type Foreign } from './own-messages.ts'

/**
 * The caller's own bytes, except for what must change: the model's name, our own fields, and `include_usage`,
 * without which a stream could not be charged exactly.
 */
export function spliceRequest(sent: SentRequest): Buffer {
  const { body, members, call, quirks } = sent
  const changes: Changes = new Map()
  changes.set('model', JSON.stringify(sent.model))
  const bounds: string[] = []
  // A single walk: requests have some ten members, and each is checked for one thing.
  for (const { key, valueStart, end } of members) {
    if (key === 'models') changes.set('models', undefined)
    else if (key === 'metadata') leaveOutOwn(body.subarray(valueStart, end), changes)
    else if (key === 'messages') changeMessages(body.subarray(valueStart, end), sent, changes)
    else if (outputBoundFields.has(key)) bounds.push(key)
    else if (key === 'reasoning')
      fitBudget(body.subarray(valueStart, end), sent, { member: key, name: 'max_tokens', changes })
    else if (isOpenRouterField(key, call.request.extensions[key], quirks)) changes.set(key, undefined)
  }
  for (const name of sent.asUnderstood) {
    const value = call.request.extensions[name]
    if (!isOpenRouterField(name, value, quirks)) changes.set(name, JSON.stringify(value))
  }
  setOutputBound(sent, bounds, changes)
  if (!quirks.takesStreamOptions) changes.set('stream_options', undefined)
  else if (call.request.stream) {
    const options = {
      ...(call.request.extensions['stream_options'] as object | undefined),
      include_usage: true,
    }
    changes.set('stream_options', JSON.stringify(options))
  }
  return withMembers(body, members, changes)
}

function changeMessages(messages: Buffer, { quirks, call }: SentRequest, changes: Changes): void {
  const foreign = foreignTo(quirks, call)
  const rewritten = foreign === undefined ? undefined : ownMessages(messages, foreign)
  if (rewritten !== undefined) changes.set('messages', rewritten)
}

function foreignTo(
  { refusesReasoning, refusesDeveloper }: VendorQuirks,
  { request: { messages }, tellsReasoning }: SentRequest['call'],
): Foreign | undefined {
  const calls = messages.some(tellsOfCalls)
  const reasoning = refusesReasoning && tellsReasoning
  const developer = refusesDeveloper && messages.some(({ role }) => role === 'developer')
  return calls || reasoning || developer ? { calls, reasoning, developer } : undefined
}

/** Only calls and their results have ids, and only those from some vendors contain thoughts. */
function tellsOfCalls(message: ModelRequest['messages'][number]): boolean {
  return message.role === 'tool' || message.content.some(({ kind }) => kind === 'tool-call')
}

/** Sends one bound under the vendor's name for it: of two, the vendor would decide which one counts. */
function setOutputBound(sent: SentRequest, named: readonly string[], changes: Changes): void {
  const { maxOutputTokens: bound } = sent
  const field = chooseBoundField(sent, named)
  if (named.length === 1 && named[0] === field && bound === sent.call.request.maxOutputTokens) return
  for (const key of named) changes.set(key, undefined)
  if (bound !== undefined) changes.set(field, String(bound))
}

/** The caller's name if the vendor knows both, otherwise the older one, which every server knows. */
function chooseBoundField({ quirks, reasons }: SentRequest, named: readonly string[]): OutputBoundField {
  const { outputBoundField, reasoningBoundField } = quirks
  if (reasoningBoundField !== undefined && reasons) return reasoningBoundField
  const callers = named.length === 1 ? named[0] : undefined
  return outputBoundField ?? (callers === 'max_completion_tokens' ? callers : 'max_tokens')
}
