import type { StreamPart } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { parseJson } from '../../json/parse-json.ts'
import { ResponsesDecoder } from './stream.ts'

/** The parts of a whole answer, the same as those of an equivalent stream. */
export function decodeResponse(body: unknown): StreamPart[] {
  return new ResponsesDecoder().pushWhole(body)
}

/** A whole response as its stream's last event, which has everything. Text that is not JSON is unchanged. */
export function responseAsStream(body: Buffer): Buffer {
  const response = parseJson(body.toString('utf8'))
  if (!isObject(response) || !Array.isArray(response['output'])) return body
  return Buffer.from(`data: ${JSON.stringify({ type: 'response.completed', response })}\n\n`)
}
