import type { EmbedRequest } from '@turnpike/protocol'
import { flatFieldRules } from '../requests/fields/flat-field-rules.ts'
import { embedFields } from './fields.ts'

/** The field rules of embedding requests. */
export const embedWords = flatFieldRules<EmbedRequest>({
  fields: embedFields,
  omittable: { input_type: 'inputType' },
  visit({ inputs, isSingle, dimensions, encoding, inputType }, tell) {
    tell('model', () => 'model')
    if (inputs.length > 1) tell('input.array', () => 'input')
    const tokens = inputs.findIndex((input) => typeof input !== 'string')
    if (tokens !== -1) tell('input.tokens', () => (isSingle ? 'input' : `input[${tokens}]`))
    if (dimensions !== undefined) tell('dimensions', () => 'dimensions')
    tell(`encoding_format.${encoding}`, () => 'encoding_format')
    if (inputType !== undefined) tell('input_type', () => 'input_type')
  },
})
