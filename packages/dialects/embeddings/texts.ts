import { invalidRequest, type EmbedRequest } from '@turnpike/protocol'

/**
 * The inputs for a vendor that only reads text.
 * @throws {GatewayError} 400 for inputs that are token numbers
 */
export function textsOf({ inputs, isSingle }: EmbedRequest): string[] {
  return inputs.map((input, index) => {
    if (typeof input === 'string') return input
    const path = isSingle ? 'input' : `input[${index}]`
    throw invalidRequest(path, `${path}: expected text. This model does not accept token ids.`)
  })
}
