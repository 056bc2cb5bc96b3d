import type { EmbedRequest } from '@turnpike/protocol'
import { textsOf } from '../../embeddings/texts.ts'
import type { Target } from '../../vendor.ts'

export function formatRequest(request: EmbedRequest, { model }: Target): Record<string, unknown> {
  const { dimensions } = request
  return {
    model,
    input: textsOf(request),
    ...(dimensions !== undefined && { output_dimension: dimensions }),
  }
}
