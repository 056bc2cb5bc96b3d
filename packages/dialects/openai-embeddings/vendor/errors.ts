import type { GatewayError } from '@turnpike/protocol'
import { parseJson } from '../../json/parse-json.ts'
import { decodeAnswerError } from '../../vendor-errors/decode-error.ts'
import type { EmbeddingList } from '../embedding-list.ts'

/** Members in which vendors report an error in place of an answer. */
const tellers = ['error', 'detail', 'errors', 'message']

/** The error in an answer that began as a success; undefined if there is none. */
export function errorInAnswer(
  { members, entries, end }: EmbeddingList,
  body: Buffer,
): GatewayError | undefined {
  if (entries !== undefined || !tellers.some((name) => members.has(name))) return undefined
  return decodeAnswerError(parseJson(body.toString('utf8', 0, end)))
}
