import type { Usage } from '@turnpike/protocol'
import type { WholeAnswer } from '../bridge.ts'

/** A whole answer without text, so its tokens need no estimate. */
export function textlessAnswer(usage: Usage | undefined, body: WholeAnswer['body']): WholeAnswer {
  return { usage, outputText: '', textlessTokens: 0, reasoningSeen: false, body }
}
