import type { StreamPart } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { GenerateDecoder } from './stream.ts'

/** The parts of a whole answer, the same as those of an equivalent stream, for `fold` to assemble. */
export function decodeResponse(body: unknown): StreamPart[] {
  const decoder = new GenerateDecoder()
  const parts = decoder.push(body)
  return [...parts, ...(isAnswer(body) ? decoder.endWhole() : decoder.end())]
}

const answerFields = ['candidates', 'promptFeedback', 'usageMetadata', 'modelVersion', 'responseId']

function isAnswer(body: unknown): boolean {
  return isObject(body) && answerFields.some((field) => body[field] !== undefined)
}
