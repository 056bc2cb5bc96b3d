import { fold, GatewayError } from '@turnpike/protocol'
import type { BridgeHead, Cost, WholeAnswer } from '../bridge.ts'
import { decodeResponse } from './decoder.ts'
import { patchAnswer, type ChatBody } from './pass-through.ts'

/**
 * A whole answer from OpenAI's format to itself.
 * @throws {GatewayError} 502 where it is no chat completion, or the error that it holds
 */
export function readWholeAnswer(text: string, head: BridgeHead): WholeAnswer {
  const body = parsedBody(text)
  const { response, error } = fold(decodeResponse(body))
  if (error !== undefined) throw error
  const outputText = response.choices.flatMap((choice) => choice.blocks.map((block) => block.text)).join('')
  return {
    usage: response.usage,
    outputText,
    body: (usage, cost: Cost) => JSON.stringify(patchAnswer(body, head, usage, cost)),
  }
}

function parsedBody(text: string): ChatBody {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ChatBody
  } catch (cause) {
    throw unusable(text, cause)
  }
  throw unusable(text, undefined)
}

function unusable(text: string, cause: unknown): GatewayError {
  return new GatewayError(
    'upstream_error',
    'The upstream answered something that is not a chat completion.',
    {
      cause,
      detail: `answer: ${text.slice(0, 200)}`,
    },
  )
}
