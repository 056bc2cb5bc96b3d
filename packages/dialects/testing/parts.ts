import type { BlockKind, FinishPart, StreamPart, ToolCallHead } from '@turnpike/protocol'

/* Parts of the first choice of an answer, for tests of how they are written. */

const choice = 0

export const start = (block: number, kind: BlockKind, more: object = {}): StreamPart => ({
  type: 'block-start',
  choice,
  block,
  kind,
  ...more,
})
export const delta = (block: number, text: string, more: object = {}): StreamPart => ({
  type: 'block-delta',
  choice,
  block,
  text,
  ...more,
})
export const end = (block: number, more: object = {}): StreamPart => ({
  type: 'block-end',
  choice,
  block,
  ...more,
})
export const finish = (reason: FinishPart['reason'], rawReason: string = reason): StreamPart => ({
  type: 'finish',
  choice,
  reason,
  rawReason,
})
/** A call of this tool. Its id is `call_<block>`. */
export const callStart = (
  block: number,
  name: string,
  variant: ToolCallHead['variant'] = 'function',
): StreamPart => start(block, 'tool-call', { toolCall: { id: `call_${block}`, name, variant } })
