import type { ModelRequest } from '@turnpike/protocol'
import type { ModelTraits } from '../../model-traits.ts'

/**
 * Claude shows a summary. Older models think where they are asked to, later ones unless they are kept from
 * it, and some in any case. Other models show all of it, but as long as it is not streamed nobody has seen
 * any.
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
