import type { EmbedRequest } from '@turnpike/protocol'
import type { Target } from '../../vendor.ts'

/** Writes the body if the caller's format is another one. */
export function formatRequest(request: EmbedRequest, { model }: Target): Record<string, unknown> {
  const { inputs, isSingle, dimensions, encoding, inputType, user, extensions } = request
  return {
    ...extensions,
    model,
    input: isSingle ? inputs[0] : inputs,
    encoding_format: encoding,
    ...(dimensions !== undefined && { dimensions }),
    ...(inputType !== undefined && { input_type: inputType }),
    ...(user !== undefined && { user }),
  }
}
