import { invalidRequest, type EmbedRequest } from '@turnpike/protocol'

/**
 * The inputs of a vendor that reads texts alone.
 * @throws {GatewayError} 400 for tokens that are given by their numbers
 */
export function textsOf({ inputs, isSingle }: EmbedRequest): string[] {
  return inputs.map((input, index) => {
    if (typeof input === 'string') return input
    const path = isSingle ? 'input' : `input[${index}]`
    throw invalidRequest(path, `${path}: expected text. This model does not accept token ids.`)
  })
}
