import type { ModelRequest } from '@turnpike/protocol'
import type { SentRequest } from '../caller.ts'
import { withMembers } from '../json/members.ts'
import { scanObject } from '../json/scan.ts'
import type { Changes } from './own-metadata.ts'

/** The smallest thinking budget that Anthropic's models accept. */
const minBudget = 1_024

/**
 * The thinking budget for a lowered output bound, so that room is left for the answer. Vendors refuse a
 * budget that is not below the bound, and the caller's own was below the caller's own bound.
 * @returns undefined if the caller's budget can stay
 */
function fittingBudget(
  budget: number | undefined,
  named: number | undefined,
  bound: number | undefined,
): number | undefined {
  if (budget === undefined || named === undefined || bound === undefined) return undefined
  return budget >= named || budget < bound ? undefined : Math.max(minBudget, Math.floor(bound / 2))
}

/** The request with the bound that is sent instead of the caller's. */
export function withBound(request: ModelRequest, bound: number | undefined): ModelRequest {
  const { maxOutputTokens: named, reasoning, extensions } = request
  if (named === bound) return request
  const bounded = { ...request, maxOutputTokens: bound }
  const budget = fittingBudget(reasoning?.budgetTokens, named, bound)
  if (budget !== undefined) bounded.reasoning = { ...reasoning, budgetTokens: budget }
  // `thinking` in Anthropic's form, in a request of chat completions.
  const { thinking } = extensions
  const native = fittingBudget(budgetIn(thinking), named, bound)
  if (native !== undefined)
    bounded.extensions = { ...extensions, thinking: { ...(thinking as object), budget_tokens: native } }
  return bounded
}

/**
 * The same change in the caller's own bytes.
 * @param value of the body's `member`; its member `name` is the budget
 */
export function fitBudget(
  value: Buffer,
  { call, maxOutputTokens: bound }: SentRequest,
  { member, name, changes }: { member: string; name: string; changes: Changes },
): void {
  const { reasoning, maxOutputTokens: named } = call.request
  const fitting = fittingBudget(reasoning?.budgetTokens, named, bound)
  if (fitting === undefined) return
  const changed = new Map([[name, String(fitting)]])
  changes.set(member, withMembers(value, scanObject(value).members, changed).toString())
}

function budgetIn(thinking: unknown): number | undefined {
  const { budget_tokens: budget } = (thinking ?? {}) as { budget_tokens?: unknown }
  return typeof budget === 'number' ? budget : undefined
}
