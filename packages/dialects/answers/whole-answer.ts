import {
  fold,
  GatewayError,
  isOutput,
  outputIn,
  toGatewayError,
  type ModelResponse,
  type ResponseBlock,
  type OutputContent,
  type StreamPart,
} from '@turnpike/protocol'
import type { BridgeHead, WholeAnswer } from '../bridge.ts'
import { passThroughOf, type GenerateCaller } from '../caller.ts'
import { parseJson } from '../json/parse-json.ts'
import type { GenerateFormat } from '../vendor.ts'
import { createPartFilter, type PartFilterOptions } from './part-filter.ts'
import { describeUnreadable } from './unreadable.ts'

/**
 * Reads a vendor's whole answer for the caller's format. If it already has that format, only what must change
 * does.
 * @throws {GatewayError} 502 if it is not an answer, or the error that it holds
 */
export function readWholeAnswer(
  format: GenerateCaller,
  vendorFormat: GenerateFormat,
  text: string,
  head: BridgeHead,
): WholeAnswer<string> {
  const parsed = parseBody(text)
  const body = vendorFormat.operations.generate.readBody?.(parsed) ?? parsed
  const passing = passThroughOf(format, vendorFormat)
  const parts = decodeParts(vendorFormat, body, text, passing === undefined ? undefined : head.asked)
  const response = foldParts(parts, text)
  const { text: outputText, textlessTokens } = outputOf(response)
  const formatted =
    passing === undefined
      ? format.formatResponse(filterAnswer(parts, head) ?? response, head)
      : passing.patchAnswer(body, head)
  return {
    usage: response.usage,
    outputText,
    textlessTokens,
    reasoningSeen: response.choices.some(({ blocks }) => blocks.some(isPlainReasoning)),
    body: (usage, cost) => JSON.stringify(formatted(usage, cost)),
  }
}

function outputOf({ choices }: ModelResponse): OutputContent {
  const all: OutputContent = { text: '', textlessTokens: 0 }
  for (const { blocks } of choices) {
    for (const block of blocks) {
      all.text += (block.toolCall?.name ?? '') + block.text
      if (block.values === undefined || !isOutput(block)) continue
      const { text, textlessTokens } = outputIn({ text: '', value: block.values })
      all.text += text
      all.textlessTokens += textlessTokens
    }
  }
  return all
}

/** Reasoning with a format of its own is a summary, or unreadable. */
function isPlainReasoning({ kind, text, reasoning }: ResponseBlock): boolean {
  return kind === 'reasoning' && text !== '' && reasoning?.format === undefined
}

function decodeParts(vendorFormat: GenerateFormat, body: object, text: string, asked?: object): StreamPart[] {
  try {
    return vendorFormat.operations.generate.decodeResponse(body, asked)
  } catch (cause) {
    throw unusable(text, cause)
  }
}

function foldParts(parts: readonly StreamPart[], text: string): ModelResponse {
  let answer: ReturnType<typeof fold>
  try {
    answer = fold(parts)
  } catch (cause) {
    throw unusable(text, cause)
  }
  if (answer.error !== undefined) throw answer.error
  return answer.response
}

/** Undefined if the caller gets the whole answer. */
function filterAnswer(parts: readonly StreamPart[], telling: PartFilterOptions): ModelResponse | undefined {
  const filter = createPartFilter(telling)
  if (filter === undefined) return undefined
  const { response } = fold(parts.flatMap((part) => filter.filter(part)))
  // Closes the gaps that omitted blocks left.
  for (const choice of response.choices) choice.blocks = choice.blocks.filter(() => true)
  return response
}

/** Why a successful body is not the requested stream’s answer. Undefined if it is one, or is not JSON. */
export function errorOfBody(vendorFormat: GenerateFormat, text: string): GatewayError | undefined {
  const value = parseJson(text)
  const body: unknown = Array.isArray(value) ? value[0] : value
  if (typeof body !== 'object' || body === null) return undefined
  try {
    foldParts(decodeParts(vendorFormat, body, text), text)
    return undefined
  } catch (error) {
    return toGatewayError(error)
  }
}

function parseBody(text: string): Record<string, unknown> {
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw unusable(text, undefined)
}

function unusable(text: string, cause: unknown): GatewayError {
  const message = 'The upstream did not return a chat completion.'
  return new GatewayError('upstream_error', message, { cause, detail: `answer: ${describeUnreadable(text)}` })
}
