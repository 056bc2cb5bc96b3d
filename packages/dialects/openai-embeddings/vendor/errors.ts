import type { GatewayError } from '@turnpike/protocol'
import { parseJson } from '../../json/parse-json.ts'
import { decodeAnswerError } from '../../vendor-errors/decode-error.ts'
import type { EmbeddingList } from '../embedding-list.ts'

/** Members in which vendors tell of an error where an answer should stand. */
const tellers = ['error', 'detail', 'errors', 'message']

/** The error that a vendor put into an answer which began as a success; undefined where there is none. */
export function errorInAnswer(
  { members, entries, end }: EmbeddingList,
  body: Buffer,
): GatewayError | undefined {
  if (entries !== undefined || !tellers.some((name) => members.has(name))) return undefined
  return decodeAnswerError(parseJson(body.toString('utf8', 0, end)))
}
