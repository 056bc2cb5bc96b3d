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

/** What the vendor was asked with otherwise than the caller asked us. */
const restored = ['max_output_tokens', 'max_tool_calls', 'metadata', 'previous_response_id'] as const

/** A whole answer of the vendor as its caller gets it: with our model and id, and with what it cost. */
export function patchAnswer(body: Members, head: BridgeHead): FormattedAnswer {
  return (usage, cost) => {
    const told = usage === undefined ? undefined : patchUsage(body['usage'], usage, cost, formatUsage)
    return changeMembers(body, lastChanges(body, head, told))
  }
}

/**
 * What of a response its caller gets otherwise than the vendor says it, by the member's name; undefined: not
 * at all.
 */
export function changesOf(response: Members, head: BridgeHead): Map<string, unknown> {
  const changes = new Map<string, unknown>([
    ['id', head.id],
    ['model', head.model],
    // Nothing is kept at the vendor: here it is, if at all.
    ['store', head.keeper !== undefined],
  ])
  const { repeated } = contextOf(head)
  for (const name of restored)
    if (name in repeated && (name in response || saysSomething(repeated[name])))
      changes.set(name, repeated[name])
  for (const name in response) {
    // What repeats the request, and the answer itself, may well speak of prices.
    if (responseMembers.has(name)) continue
    const value = response[name]
    const told = isWithheld(name) ? undefined : withoutMoney(value)
    if (told !== value) changes.set(name, told)
  }
  return changes
}

function saysSomething(value: unknown): boolean {
  return isObject(value) ? Object.keys(value).length > 0 : (value ?? null) !== null
}

/**
 * The same of a response that is over, which is kept where it is to be.
 * @param usage in place of the vendor's; undefined: as it is
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

/** @param changes by the member's name; undefined: it goes */
export function changeMembers(response: Members, changes: ReadonlyMap<string, unknown>): Members {
  const told = { ...response }
  for (const [name, value] of changes) {
    if (value === undefined) Reflect.deleteProperty(told, name)
    else told[name] = value
  }
  return told
}
