import type { EmbedRequest } from '@turnpike/protocol'
import type { Call } from '../../call.ts'
import type { SentRequest } from '../../caller.ts'
import { splicePlain } from '../../requests/splice-plain.ts'

/** The caller's own bytes, with one part of its inputs where those are asked in parts. */
export function spliceRequest(sent: SentRequest<Call<EmbedRequest>>): Buffer {
  const { inputs, isPart } = sent.call.request
  return splicePlain(sent, new Map(isPart === true ? [['input', JSON.stringify(inputs)]] : []))
}
