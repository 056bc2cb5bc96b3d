import { fold, type ModelResponse } from '@turnpike/protocol'
import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { expect } from 'vitest'
import { openBridge } from '../answers/translating-bridge.ts'
import { readWholeAnswer } from '../answers/whole-answer.ts'
import type { BridgeHead, Cost } from '../bridge.ts'
import type { GenerateCaller } from '../caller.ts'
import { parseJson } from '../json/parse-json.ts'
import { generateFormats } from '../registry.ts'
import type { GenerateFormat, GenerateFormatName } from '../vendor.ts'
import { bridged, endOf, type Bridged } from './bridged.ts'

/* Recorded answers from all vendors, translated for callers of another format. */

const vendorFormatOf: Record<string, GenerateFormatName> = {
  responses: 'openai-responses',
  messages: 'anthropic-messages',
  generateContent: 'google-generate',
  streamGenerateContent: 'google-generate',
}
const chatFormats: Record<string, GenerateFormatName> = { mistral: 'mistral-chat', deepseek: 'deepseek-chat' }

function vendorOf({ vendor, api }: RecordedCase): GenerateFormat | undefined {
  const name = api === 'chat' ? (chatFormats[vendor] ?? 'openai-chat') : vendorFormatOf[api]
  return name === undefined ? undefined : generateFormats[name]
}

export interface RecordedAnswer {
  vendorFormat: GenerateFormat
  bytes: Buffer
}

/** An answer with its name, for a table of tests. */
export type NamedAnswer = [id: string, answer: RecordedAnswer]

const recordings = allRecordings()
const answers = (isStream: boolean): NamedAnswer[] =>
  recordings.cases.flatMap((one): NamedAnswer[] => {
    const vendorFormat = vendorOf(one)
    if (one.status !== 200 || one.stream !== isStream || vendorFormat === undefined) return []
    return [[one.id, { vendorFormat, bytes: recordings.response(one.id) }]]
  })

export const streamedAnswers = answers(true)
export const wholeAnswers = answers(false)

/** How to write an answer for a caller, and its cost. */
export interface Telling {
  format: GenerateCaller
  head: BridgeHead
  cost: Cost
}

/**
 * What the caller gets from a stream; `whole` includes the last events.
 * @param cut where the bytes are cut in two
 */
export function tellStream(
  { format, head, cost }: Telling,
  { vendorFormat, bytes }: RecordedAnswer,
  cut = 0,
): Bridged & { whole: string } {
  const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)]
  const result = bridged((listener) => openBridge(format, vendorFormat, head, listener), pieces)
  return { ...result, whole: result.text + endOf(result, cost) }
}

/** What the vendor sent, and what the caller gets. Undefined if both are the same error. */
export function tellWhole(
  { format, head, cost }: Telling,
  { vendorFormat, bytes }: RecordedAnswer,
): { response: ModelResponse; body: unknown } | undefined {
  const text = bytes.toString('utf8')
  const { response, error } = fold(vendorFormat.operations.generate.decodeResponse(parseJson(text)))
  if (error !== undefined) {
    expect(() => readWholeAnswer(format, vendorFormat, text, head)).toThrow(error.message)
    return undefined
  }
  const answer = readWholeAnswer(format, vendorFormat, text, head)
  return { response, body: JSON.parse(answer.body(answer.usage, cost)) }
}
