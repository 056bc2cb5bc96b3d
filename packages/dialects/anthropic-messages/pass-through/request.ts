import type { SentRequest } from '../../caller.ts'
import { withMembers } from '../../json/members.ts'
import { fitBudget } from '../../requests/lowered-bound.ts'
import { leaveOutOwn, type Changes } from '../../requests/own-metadata.ts'
import { isBillingBlock, isBillingLine } from '../billing-line.ts'
import { ownMessages, holdsForeign } from './own-messages.ts'

/** Partly parsed into `ModelRequest`, so what remains of it is not what the caller wrote. */
const partlySpoken = 'output_config'

/**
 * The caller's own bytes, except for what must change: the model's name, our own fields, the output bound if
 * it was lowered, and what other vendors put into the conversation.
 */
export function spliceRequest(sent: SentRequest): Buffer {
  const { body, members, call, withoutProofs = false } = sent
  const changes: Changes = new Map([['model', JSON.stringify(sent.model)]])
  const foreign = withoutProofs || holdsForeign(call)
  for (const { key, valueStart, end } of members) {
    if (key === 'models') changes.set('models', undefined)
    else if (key === 'metadata') leaveOutOwn(body.subarray(valueStart, end), changes)
    else if (key === 'thinking' && withoutProofs && endsInCalls(call))
      changes.set(key, unthinking(body.subarray(valueStart, end)))
    else if (key === 'thinking')
      fitBudget(body.subarray(valueStart, end), sent, { member: key, name: 'budget_tokens', changes })
    else if (key === 'system' && sent.quirks.dropsBillingLine === true)
      leaveOutBilling(body.subarray(valueStart, end), changes)
    else if (key === 'tools' && sent.tools !== undefined)
      changes.set('tools', withTools(body.subarray(valueStart, end), sent))
    else if (key === 'messages' && foreign)
      changes.set('messages', ownMessages(body.subarray(valueStart, end), withoutProofs))
  }
  for (const name of sent.asUnderstood)
    if (name !== partlySpoken) changes.set(name, JSON.stringify(call.request.extensions[name]))
  const { maxOutputTokens: bound } = sent
  if (bound !== undefined && bound !== call.request.maxOutputTokens) changes.set('max_tokens', String(bound))
  return withMembers(body, members, changes)
}

/**
 * "When `thinking` is enabled, a final `assistant` message must start with a thinking block": a turn with
 * calls whose thinking was left out does not.
 */
function endsInCalls({ request: { messages } }: SentRequest['call']): boolean {
  const last = messages.findLast(({ role }) => role === 'assistant')
  return last?.content.some(({ kind }) => kind === 'tool-call') === true
}

/** @param thinking members other than the budget's stay unchanged */
function unthinking(thinking: Buffer): string {
  const text = thinking.toString('utf8')
  const parsed = JSON.parse(text) as { type?: unknown } | null
  return parsed?.type === 'enabled' ? '{"type":"disabled"}' : text
}

/** The list with the tools that were rewritten. */
function withTools(list: Buffer, { tools, call: { request } }: SentRequest): string {
  const written = JSON.parse(list.toString('utf8')) as unknown[]
  const rewritten = written.map((one, index) => {
    const tool = tools?.[index]
    return tool?.kind !== 'raw' || tool === request.tools[index] ? one : tool.value
  })
  return JSON.stringify(rewritten)
}

/** Leaves out Claude Code's billing line, and the instructions if nothing else remains. */
function leaveOutBilling(system: Buffer, changes: Changes): void {
  const parsed: unknown = JSON.parse(system.toString('utf8'))
  if (typeof parsed === 'string' && isBillingLine(parsed)) changes.set('system', undefined)
  if (!Array.isArray(parsed)) return
  const kept = (parsed as object[]).filter((block) => !isBillingBlock(block))
  if (kept.length < parsed.length) changes.set('system', kept.length === 0 ? undefined : JSON.stringify(kept))
}
