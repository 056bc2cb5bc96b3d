import type { StreamPart } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { ConverseDecoder } from './stream.ts'

/** The parts of a whole answer, the same as those of an equivalent stream. */
export function decodeResponse(body: unknown): StreamPart[] {
  return new ConverseDecoder().pushWhole(isObject(body) ? body : {})
}
