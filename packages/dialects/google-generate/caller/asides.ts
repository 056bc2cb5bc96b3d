import { isWithheld, toldMember } from '../../answers/withheld-members.ts'

/** Members of a candidate that have a meaning of their own. */
const ownMembers: ReadonlySet<string> = new Set([
  'content',
  'finishReason',
  'finishMessage',
  'index',
  'tokenCount',
  'safetyRatings',
])

/** Keeps what this format has no part for, under the vendor's own name. The pieces of a list are one list. */
export function addAside(asides: Record<string, unknown>, name = 'raw', value: unknown): void {
  if (isWithheld(name)) return
  const key = ownMembers.has(name) ? `${name}_of_vendor` : name
  const before = Object.hasOwn(asides, key) ? asides[key] : undefined
  const told = toldMember(name, value)
  const all: unknown = Array.isArray(before) && Array.isArray(told) ? [...before, ...told] : told
  Object.defineProperty(asides, key, { value: all, enumerable: true, configurable: true, writable: true })
}
