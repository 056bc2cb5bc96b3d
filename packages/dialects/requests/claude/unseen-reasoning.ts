import type { ModelRequest } from '@turnpike/protocol'
import type { ModelTraits } from '../../model-traits.ts'

/**
 * Claude shows a summary. Older models think only on request, later ones unless it is turned off, and some
 * always. Other models show all of their thinking, but nothing has been seen before it is streamed.
 */
export function mayClaudeReasonUnseen(
  { reasoning, extensions, stream }: ModelRequest,
  { claude }: ModelTraits,
  seen: boolean,
): boolean {
  const { thinkingOff } = claude
  const { thinking } = extensions
  const type =
    typeof thinking === 'object' && thinking !== null && 'type' in thinking ? thinking.type : undefined
  if (!claude.summarizesThoughts)
    return !stream && !seen && reasoning?.effort !== 'none' && type !== 'disabled'
  if (thinkingOff === 'never') return true
  if (type !== undefined) return type !== 'disabled'
  return reasoning?.effort !== 'none' && (reasoning !== undefined || thinkingOff !== 'absent')
}
