import { withMembers } from '../json/members.ts'
import { scanObject } from '../json/scan.ts'

/** By the name of an outermost member: what it becomes; undefined: it is left out. */
export type Changes = Map<string, string | undefined>

const openBrace = 0x7b

/** Our own fields of the metadata; the rest is the vendor's, as it was written. */
const ownMembers = ['tags', 'retry_of']
const withoutOwn: Changes = new Map(ownMembers.map((name) => [name, undefined]))

/**
 * Notes what becomes of a request's `metadata` without our fields: nothing where it has none of them.
 * @param metadata its value, as the caller wrote it
 */
export function leaveOutOwn(metadata: Buffer, changes: Changes): void {
  if (metadata[0] !== openBrace) return
  const { members } = scanObject(metadata)
  const others = members.filter(({ key }) => !withoutOwn.has(key))
  if (others.length === members.length) return
  const rest = others.length === 0 ? undefined : withMembers(metadata, members, withoutOwn).toString()
  changes.set('metadata', rest)
}
