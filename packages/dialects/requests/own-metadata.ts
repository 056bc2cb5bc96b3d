import { withMembers } from '../json/members.ts'
import { scanObject } from '../json/scan.ts'

/** New values of outermost members, by name. Undefined: the member is left out. */
export type Changes = Map<string, string | undefined>

const openBrace = 0x7b

/** The gateway's own members of `metadata`. The others go to the vendor as the caller wrote them. */
const ownMembers = ['tags', 'retry_of']
const withoutOwn: Changes = new Map(ownMembers.map((name) => [name, undefined]))

/**
 * Notes how `metadata` changes without our members: not at all if it has none of them.
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
