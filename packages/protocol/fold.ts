import type { GatewayError } from './error.ts'
import type { ModelResponse, ResponseBlock, ResponseChoice } from './model-response.ts'
import type { BlockDelta, BlockEnd, BlockStart, StreamPart } from './stream-part.ts'

/** Folds a stream's parts into the whole answer; `error` is set if the stream broke off. */
export function fold(parts: Iterable<StreamPart>): {
  response: ModelResponse
  error: GatewayError | undefined
} {
  const response: ModelResponse = {
    id: undefined,
    model: undefined,
    created: undefined,
    extensions: {},
    choices: [],
    usage: undefined,
  }
  let error: GatewayError | undefined
  for (const part of parts) {
    if (part.type === 'error') error ??= part.error
    else apply(response, part)
  }
  response.choices.sort((left, right) => left.index - right.index)
  return { response, error }
}

function apply(response: ModelResponse, part: Exclude<StreamPart, { type: 'error' }>): void {
  switch (part.type) {
    case 'response-start':
      response.id = part.id
      response.model = part.model
      response.created = part.created
      for (const name in part.extensions) response.extensions[name] = part.extensions[name]
      break
    case 'block-start':
      choiceOf(response, part.choice).blocks[part.block] = startBlock(part)
      break
    case 'block-delta':
      growBlock(blockOf(response, part), part)
      break
    case 'block-end':
      endBlock(blockOf(response, part), part)
      break
    case 'usage':
      response.usage = part.usage
      break
    case 'finish':
      choiceOf(response, part.choice).finish = { reason: part.reason, rawReason: part.rawReason }
      break
  }
}

function choiceOf(response: ModelResponse, index: number): ResponseChoice {
  let choice = response.choices.find((one) => one.index === index)
  if (choice === undefined) {
    choice = { index, blocks: [], finish: undefined }
    response.choices.push(choice)
  }
  return choice
}

function blockOf(response: ModelResponse, part: BlockDelta | BlockEnd): ResponseBlock {
  const block = choiceOf(response, part.choice).blocks[part.block]
  if (block === undefined) throw new Error(`${part.type} for block ${part.block}, which was not started`)
  return block
}

function startBlock(part: BlockStart): ResponseBlock {
  const block: ResponseBlock = { kind: part.kind, text: '' }
  if (part.toolCall !== undefined) block.toolCall = part.toolCall
  if (part.reasoning !== undefined) block.reasoning = part.reasoning
  if (part.name !== undefined) block.name = part.name
  return block
}

function endBlock(block: ResponseBlock, part: BlockEnd): void {
  if (part.signature !== undefined) block.signature = part.signature
  if (part.encrypted !== undefined) block.encrypted = part.encrypted
}

function growBlock(block: ResponseBlock, part: BlockDelta): void {
  block.text += part.text
  if (part.logprobs !== undefined) (block.logprobs ??= []).push(part.logprobs)
  if (part.value !== undefined) (block.values ??= []).push(part.value)
}
