import type { SentRequest } from '../../caller.ts'
import { withMembers } from '../../json/members.ts'
import { scanObject } from '../../json/scan.ts'
import type { Changes } from '../../requests/own-metadata.ts'
import { ownContents, holdsForeign } from './own-contents.ts'

const bounds = ['maxOutputTokens', 'max_output_tokens']
const configs: ReadonlySet<string> = new Set(['generationConfig', 'generation_config'])

/**
 * The caller's own bytes, except for what must change: the output bound if it was set or lowered, and what
 * other vendors signed. The model is in the path.
 */
export function spliceRequest(sent: SentRequest): Buffer {
  const { body, members, call, maxOutputTokens: bound, withoutProofs = false } = sent
  const changes: Changes = new Map()
  const foreign = withoutProofs || holdsForeign(call)
  const isChanged = bound !== undefined && bound !== call.request.maxOutputTokens
  let config: string | undefined
  for (const { key, valueStart, end } of members) {
    if (configs.has(key)) {
      config = key
      if (isChanged) changes.set(key, withBound(body.subarray(valueStart, end), bound))
    } else if (key === 'contents' && foreign)
      changes.set(key, ownContents(body.subarray(valueStart, end), withoutProofs))
  }
  if (isChanged && config === undefined)
    changes.set('generationConfig', JSON.stringify({ maxOutputTokens: bound }))
  return changes.size === 0 ? body : withMembers(body, members, changes)
}

/** @param config its JSON, or `null` */
function withBound(config: Buffer, bound: number): string {
  const { members } = scanObject(config)
  const name = members.find(({ key }) => bounds.includes(key))?.key ?? bounds[0]!
  return withMembers(config, members, new Map([[name, String(bound)]])).toString()
}
