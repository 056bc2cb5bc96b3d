import { isWithheld, filterMember } from './withheld-members.ts'

/**
 * Keeps what a caller's format has no block for, under the vendor's own name. The pieces of a list, as of
 * citations, are one list.
 * @param ownMembers names that have a meaning of their own where the asides are told
 */
export function addAside(
  asides: Record<string, unknown>,
  ownMembers: ReadonlySet<string>,
  name = 'raw',
  value: unknown,
): void {
  if (isWithheld(name)) return
  const key = ownMembers.has(name) ? `${name}_of_vendor` : name
  const before = Object.hasOwn(asides, key) ? asides[key] : undefined
  const told = filterMember(name, value)
  const all: unknown = Array.isArray(before) && Array.isArray(told) ? [...before, ...told] : told
  Object.defineProperty(asides, key, { value: all, enumerable: true, configurable: true, writable: true })
}
