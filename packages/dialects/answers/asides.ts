import { isWithheld, filterMember } from './withheld-members.ts'

/**
 * Adds content that a caller's format has no block for, under the vendor's own name. Lists that arrive in
 * pieces, such as citations, are joined.
 * @param ownMembers names that already have a meaning in the object that receives the asides
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
  const visible = filterMember(name, value)
  const all: unknown = Array.isArray(before) && Array.isArray(visible) ? [...before, ...visible] : visible
  Object.defineProperty(asides, key, { value: all, enumerable: true, configurable: true, writable: true })
}
