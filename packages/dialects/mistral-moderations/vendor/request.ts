import { invalidRequest, type ModerateRequest } from '@turnpike/protocol'
import type { Target } from '../../vendor.ts'

/** @throws {GatewayError} 400 for images */
export function formatRequest({ inputs, form }: ModerateRequest, { model }: Target): Record<string, unknown> {
  const texts = inputs.map((one, index) => {
    if (one.kind === 'text') return one.text
    throw invalidRequest(
      `input[${index}]`,
      `input[${index}]: expected text. This model does not accept images.`,
    )
  })
  return { model, input: form === 'texts' ? texts : [texts.join('\n')] }
}
