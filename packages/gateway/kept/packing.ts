import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { tooLong } from './found-items.ts'
import type { KeyRing } from './key-ring.ts'
import type { AnswerOwner, FoundAnswer, SealedAnswer } from './store.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** An answer that callers can continue from, in its caller's format. */
export interface KeptAnswer extends AnswerOwner {
  id: string
  createdAtMs: number
  /** Ids of its items that do not contain the answer's id. */
  itemIds: readonly string[]
  /** JSON. */
  answer: Buffer
  /** JSON of a list: the input that the answer belongs to. */
  input: Buffer
}

/** The same as read from the database. */
export type OpenedAnswer = Omit<KeptAnswer, 'itemIds' | 'memberId' | 'projectId'>

/** Packs and seals an answer. Compression runs on the thread pool: a conversation may be megabytes long. */
export async function sealAnswer(
  kept: KeptAnswer,
  expiresAtMs: number,
  keys: KeyRing,
): Promise<SealedAnswer> {
  const { id, accountId, memberId, projectId, createdAtMs, itemIds, answer, input } = kept
  return {
    id,
    accountId,
    memberId,
    projectId,
    createdAtMs,
    expiresAtMs,
    keyName: keys.name,
    itemIds,
    plainBytes: answer.length + input.length,
    answer: keys.seal(await compress(answer), kept, 'answer'),
    input: keys.seal(await compress(input), kept, 'input'),
  }
}

/** @throws if no key opens it, or it was changed */
export async function openAnswer(answer: FoundAnswer, keys: KeyRing): Promise<OpenedAnswer> {
  const { id, accountId, createdAtMs, keyName } = answer
  const bound = { maxOutputLength: Math.max(1, answer.plainBytes) }
  return {
    id,
    accountId,
    createdAtMs,
    answer: await decompress(keys.unseal(answer.answer, keyName, answer, 'answer'), bound),
    input: await decompress(keys.unseal(answer.input, keyName, answer, 'input'), bound),
  }
}

/**
 * Opens the answer without its input.
 * @param mostBytes the largest answer to open
 * @throws {GatewayError} 413 if it is longer
 * @throws if no key opens it, or it was changed
 */
export async function openAnswerBody(
  sealed: Omit<FoundAnswer, 'input'>,
  mostBytes: number,
  keys: KeyRing,
): Promise<Buffer> {
  const packed = keys.unseal(sealed.answer, sealed.keyName, sealed, 'answer')
  try {
    return await decompress(packed, { maxOutputLength: Math.max(1, mostBytes) })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLong : error
  }
}
