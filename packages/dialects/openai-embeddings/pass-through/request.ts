import type { EmbedRequest } from '@turnpike/protocol'
import type { Call } from '../../call.ts'
import type { SentRequest } from '../../caller.ts'
import { splicePlain } from '../../requests/splice-plain.ts'

/** The caller's own bytes, with a part of its inputs if those are sent in parts. */
export function spliceRequest(sent: SentRequest<Call<EmbedRequest>>): Buffer {
  const { inputs, isPart } = sent.call.request
  return splicePlain(sent, new Map(isPart === true ? [['input', JSON.stringify(inputs)]] : []))
}
