import type { ModelResponse, ResponseBlock, StreamPart } from '@turnpike/protocol'
import type { BridgeHead } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import { ResponsesEncoder } from './stream.ts'

/** A whole answer, the same as the final response of its stream. */
export function formatResponse(response: ModelResponse, head: BridgeHead): FormattedAnswer {
  const encoder = new ResponsesEncoder(head)
  for (const part of partsOf(response)) encoder.write(part)
  return (usage, cost) => encoder.whole(usage, cost)
}

function* partsOf({ id, model, created, extensions, choices }: ModelResponse): Generator<StreamPart> {
  yield { type: 'response-start', id, model, created, extensions }
  const [choice] = choices
  for (const [index, block] of (choice?.blocks ?? []).entries()) yield* partsOfBlock(index, block)
  const { reason, rawReason } = choice?.finish ?? { reason: 'stop' as const, rawReason: '' }
  yield { type: 'finish', choice: 0, reason, rawReason }
}

function* partsOfBlock(block: number, content: ResponseBlock): Generator<StreamPart> {
  const { kind, text, toolCall, reasoning, name, logprobs, values, signature, encrypted } = content
  yield {
    type: 'block-start',
    choice: 0,
    block,
    kind,
    ...(toolCall === undefined ? {} : { toolCall }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(name === undefined ? {} : { name }),
  }
  if (text !== '') yield { type: 'block-delta', choice: 0, block, text }
  for (const piece of logprobs ?? [])
    yield { type: 'block-delta', choice: 0, block, text: '', logprobs: piece }
  for (const value of values ?? []) yield { type: 'block-delta', choice: 0, block, text: '', value }
  yield {
    type: 'block-end',
    choice: 0,
    block,
    ...(signature === undefined ? {} : { signature }),
    ...(encrypted === undefined ? {} : { encrypted }),
  }
}
