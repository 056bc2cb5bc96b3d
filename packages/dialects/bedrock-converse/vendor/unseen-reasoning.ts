import type { ModelRequest } from '@turnpike/protocol'
import type { ModelTraits } from '../../model-traits.ts'
import { mayClaudeReasonUnseen } from '../../requests/claude/unseen-reasoning.ts'

/** Claude shows a summary. Whether other models show all of their reasoning is not documented. */
export function mayReasonUnseen(request: ModelRequest, traits: ModelTraits, seen: boolean): boolean {
  const { thinking } = traits.bedrock
  return thinking === 'claude' ? mayClaudeReasonUnseen(request, traits, seen) : thinking !== 'none'
}
