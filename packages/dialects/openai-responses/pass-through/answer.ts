import { isObject } from '../../json/object.ts'
import { patchUsage } from '../../answers/patch-usage.ts'
import { isWithheld, withoutMoney } from '../../answers/withheld-members.ts'
import type { BridgeHead } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import { contextOf } from '../caller/response/response-context.ts'
import { type Members } from '../../requests/fields/typed-members.ts'
import { keepResponse } from '../caller/keep-response.ts'
import { responseMembers } from '../caller/response/response-members.ts'
import { formatUsage } from '../caller/usage.ts'

/** Fields that the vendor got with other values than the caller sent. */
const restored = ['max_output_tokens', 'max_tool_calls', 'metadata', 'previous_response_id'] as const

/** The vendor's whole answer as its caller gets it: with our model and id, and the cost. */
export function patchAnswer(body: Members, head: BridgeHead): FormattedAnswer {
  return (usage, cost) => {
    const patchedUsage = usage === undefined ? undefined : patchUsage(body['usage'], usage, cost, formatUsage)
    return changeMembers(body, lastChanges(body, head, patchedUsage))
  }
}

/** Members of a response whose values change for the caller, by name. Undefined: the member is removed. */
export function changesOf(response: Members, head: BridgeHead): Map<string, unknown> {
  const changes = new Map<string, unknown>([
    ['id', head.id],
    ['model', head.model],
    // Nothing is kept at the vendor; the gateway may keep the answer.
    ['store', head.keeper !== undefined],
  ])
  const { repeated } = contextOf(head)
  for (const name of restored)
    if (name in repeated && (name in response || saysSomething(repeated[name])))
      changes.set(name, repeated[name])
  for (const name in response) {
    // Members that repeat the request, and the answer itself, may well mention prices.
    if (responseMembers.has(name)) continue
    const value = response[name]
    const visible = isWithheld(name) ? undefined : withoutMoney(value)
    if (visible !== value) changes.set(name, visible)
  }
  return changes
}

function saysSomething(value: unknown): boolean {
  return isObject(value) ? Object.keys(value).length > 0 : (value ?? null) !== null
}

/**
 * The same for a response that has ended, which is kept if requested.
 * @param usage replaces the vendor's; undefined: the vendor's stays
 */
export function lastChanges(
  response: Members,
  head: BridgeHead,
  usage: Members | undefined,
): Map<string, unknown> {
  const changes = changesOf(response, head)
  if (usage !== undefined) changes.set('usage', usage)
  const { store } = keepResponse(changeMembers(response, changes), head)
  return changes.set('store', store)
}

/** @param changes by the member's name; undefined: it is removed */
export function changeMembers(response: Members, changes: ReadonlyMap<string, unknown>): Members {
  const changed = { ...response }
  for (const [name, value] of changes) {
    if (value === undefined) Reflect.deleteProperty(changed, name)
    else changed[name] = value
  }
  return changed
}
