import type { SentRequest } from '../../caller.ts'
import { parseJson } from '../../json/parse-json.ts'
import { withMembers } from '../../json/members.ts'
import { leaveOutOwn, type Changes } from '../../requests/own-metadata.ts'
import { besideSearch, ownInput } from './own-input.ts'

/** Returns reasoning encrypted, so that it can be sent back. It is not kept anywhere else. */
const encryptedReasoning = 'reasoning.encrypted_content'

/**
 * The caller's own bytes, except for what must change: the model's name, our own fields, the output bound if
 * it was set or lowered, and what other vendors put into the conversation. Nothing is kept in the operator's
 * account (`store`), so what a reasoning model needs from its earlier turns has to travel with the
 * conversation (https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items).
 */
export function spliceRequest(sent: SentRequest): Buffer {
  const { body, members, call, reasons, maxOutputTokens: bound, withoutSearch = false } = sent
  const changes: Changes = new Map([['model', JSON.stringify(sent.model)]])
  let include: unknown
  for (const { key, valueStart, end } of members) {
    if (key === 'models') changes.set(key, undefined)
    else if (key === 'metadata') leaveOutOwn(body.subarray(valueStart, end), changes)
    else if (key === 'include') include = parseJson(body.toString('utf8', valueStart, end))
    else if (key === 'input') {
      const input = ownInput(body.subarray(valueStart, end), sent)
      if (input !== undefined) changes.set(key, input)
    } else if (key === 'tools' && withoutSearch)
      changes.set(key, toolsBesideSearch(body.subarray(valueStart, end)))
  }
  for (const name of sent.asUnderstood) changes.set(name, JSON.stringify(call.request.extensions[name]))
  changes.set('store', 'false')
  if (reasons) includeReasoning(include, changes)
  if (bound !== undefined && bound !== call.request.maxOutputTokens)
    changes.set('max_output_tokens', String(bound))
  const { toolUses = Infinity } = sent
  if (toolUses < (call.maxToolUses ?? Infinity)) changes.set('max_tool_calls', String(toolUses))
  return withMembers(body, members, changes)
}

/** @param include the caller's value, already checked to be a list or null */
function includeReasoning(include: unknown, changes: Changes): void {
  const named = Array.isArray(include) ? (include as string[]) : []
  if (!named.includes(encryptedReasoning))
    changes.set('include', JSON.stringify([...named, encryptedReasoning]))
}

/** Undefined if no other tool remains. */
function toolsBesideSearch(tools: Buffer): string | undefined {
  const others = besideSearch(JSON.parse(tools.toString('utf8')) as unknown[])
  return others.length === 0 ? undefined : JSON.stringify(others)
}
