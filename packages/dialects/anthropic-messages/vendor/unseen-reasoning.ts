import type { ModelRequest } from '@turnpike/protocol'
import type { ModelTraits } from '../../model-traits.ts'

/**
 * Claude shows a summary. Older models think where they are asked to, later ones unless they are kept from
 * it, and some in any case.
 */
export function mayReasonUnseen({ reasoning, extensions }: ModelRequest, { claude }: ModelTraits): boolean {
  const { thinkingOff } = claude
  const { thinking } = extensions
  if (thinkingOff === 'never') return true
  if (typeof thinking === 'object' && thinking !== null && 'type' in thinking)
    return thinking.type !== 'disabled'
  return reasoning?.effort !== 'none' && (reasoning !== undefined || thinkingOff !== 'absent')
}
