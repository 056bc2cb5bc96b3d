import type { EmbedRequest } from '@turnpike/protocol'
import type { BridgeHead } from '../../bridge.ts'
import type { EmbedAnswer } from '../../caller.ts'
import type { Embeddings } from '../../embeddings/answer.ts'
import { encodeVector } from '../../embeddings/encode.ts'
import { formatPricedUsage } from './usage.ts'

/**
 * Writes a `CreateEmbeddingResponse` with the vectors as the vendor wrote them.
 * @throws {GatewayError} 502 if one cannot be written in the requested encoding
 */
export function formatEmbeddings(
  { vectors }: Embeddings,
  { model }: BridgeHead,
  { encoding }: EmbedRequest,
): EmbedAnswer {
  const mark = encoding === 'base64' ? '"' : ''
  const pieces: Buffer[] = [Buffer.from('{"object":"list","data":[')]
  for (let index = 0; index < vectors.length; index++) {
    const before = `${index === 0 ? '' : ','}{"object":"embedding","index":${index},"embedding":${mark}`
    pieces.push(Buffer.from(before), encodeVector(vectors[index]!, encoding), Buffer.from(`${mark}}`))
  }
  return (usage, cost) => {
    const usageJson = usage === undefined ? '' : `,"usage":${JSON.stringify(formatPricedUsage(usage, cost))}`
    return Buffer.concat([...pieces, Buffer.from(`],"model":${JSON.stringify(model)}${usageJson}}`)])
  }
}
