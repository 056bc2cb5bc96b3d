import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { KeyRing } from './key-ring.ts'
import type { SealedAnswer } from './store.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** An answer that callers may go on from, in the words in which its caller knows it. */
export interface KeptAnswer {
  id: string
  accountId: string
  createdAtMs: number
  /** JSON. */
  answer: Buffer
  /** JSON of a list: what the answer answers. */
  input: Buffer
}

/** Packed in threads of their own: a conversation may have megabytes. */
export async function sealed(kept: KeptAnswer, expiresAtMs: number, keys: KeyRing): Promise<SealedAnswer> {
  const { id, accountId, createdAtMs, answer, input } = kept
  return {
    id,
    accountId,
    createdAtMs,
    expiresAtMs,
    keyName: keys.name,
    plainBytes: answer.length + input.length,
    answer: keys.seal(await compress(answer), kept, 'answer'),
    input: keys.seal(await compress(input), kept, 'input'),
  }
}

/** @throws where no key opens it, or it was changed */
export async function opened(answer: SealedAnswer, keys: KeyRing): Promise<KeptAnswer> {
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
