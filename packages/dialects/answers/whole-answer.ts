import {
  fold,
  GatewayError,
  isSaid,
  saidIn,
  toGatewayError,
  type ModelResponse,
  type ResponseBlock,
  type Said,
} from '@turnpike/protocol'
import type { BridgeHead, WholeAnswer } from '../bridge.ts'
import type { CallerFormat } from '../caller.ts'
import { parsed } from '../json/parsed.ts'
import type { VendorFormat } from '../vendor.ts'
import { describeUnreadable } from './unreadable.ts'

/**
 * A vendor's whole answer, to be said in the caller's format; where it is in that format already, only what
 * must change of it is.
 * @throws {GatewayError} 502 where it is no answer, or the error that it holds
 */
export function readWholeAnswer(
  format: CallerFormat,
  vendorFormat: VendorFormat,
  text: string,
  head: BridgeHead,
): WholeAnswer {
  const body = parsedBody(text)
  const response = understood(vendorFormat, body, text)
  const { text: outputText, textlessTokens } = saidBy(response)
  const said =
    vendorFormat.name === format.name
      ? format.passThrough.patchAnswer(body, head)
      : format.formatResponse(response, head)
  return {
    usage: response.usage,
    outputText,
    textlessTokens,
    reasoningSeen: response.choices.some(({ blocks }) => blocks.some(isPlainReasoning)),
    body: (usage, cost) => JSON.stringify(said(usage, cost)),
  }
}

function saidBy({ choices }: ModelResponse): Said {
  const all: Said = { text: '', textlessTokens: 0 }
  for (const { blocks } of choices) {
    for (const block of blocks) {
      all.text += (block.toolCall?.name ?? '') + block.text
      if (block.values === undefined || !isSaid(block)) continue
      const { text, textlessTokens } = saidIn({ text: '', value: block.values })
      all.text += text
      all.textlessTokens += textlessTokens
    }
  }
  return all
}

/** Reasoning in a format of its own is a summary, or nothing that can be read. */
function isPlainReasoning({ kind, text, reasoning }: ResponseBlock): boolean {
  return kind === 'reasoning' && text !== '' && reasoning?.format === undefined
}

function understood(vendorFormat: VendorFormat, body: object, text: string): ModelResponse {
  let answer: ReturnType<typeof fold>
  try {
    answer = fold(vendorFormat.operations.generate.decodeResponse(body))
  } catch (cause) {
    throw unusable(text, cause)
  }
  if (answer.error !== undefined) throw answer.error
  return answer.response
}

/**
 * Why a body that came with a success, though a stream was asked for, is no answer; undefined where it is
 * one, or no JSON.
 */
export function errorOfBody(vendorFormat: VendorFormat, text: string): GatewayError | undefined {
  const value = parsed(text)
  const body: unknown = Array.isArray(value) ? value[0] : value
  if (typeof body !== 'object' || body === null) return undefined
  try {
    understood(vendorFormat, body, text)
    return undefined
  } catch (error) {
    return toGatewayError(error)
  }
}

function parsedBody(text: string): Record<string, unknown> {
  const value = parsed(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw unusable(text, undefined)
}

function unusable(text: string, cause: unknown): GatewayError {
  const message = 'The upstream answered something that is not a chat completion.'
  return new GatewayError('upstream_error', message, { cause, detail: `answer: ${describeUnreadable(text)}` })
}
