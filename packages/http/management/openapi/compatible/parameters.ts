import { unsupportedFieldsRules } from '@turnpike/protocol'
import type { Parameter } from '../document-types.ts'

export const tagsParameter: Parameter = {
  name: 'x-turnpike-tags',
  in: 'header',
  description: 'Tags, separated by commas: together with `metadata.tags` at most 20.',
  schema: { type: 'string' },
}

export const unsupportedParameter: Parameter = {
  name: 'x-turnpike-unsupported',
  in: 'header',
  description:
    'How fields that the vendor does not support are handled: `refuse` them (400), or `drop` them and ' +
    'name them in `x-turnpike-dropped`. Default: the body’s `provider.require_parameters`, then the ' +
    'setting of the key or the operator.',
  schema: { type: 'string', enum: [...unsupportedFieldsRules] },
}

/** Anthropic's clients send it with every request. */
export const anthropicVersion: Parameter = {
  name: 'anthropic-version',
  in: 'header',
  description: 'The API version of the client; any value. Passed unchanged to vendors with this format.',
  schema: { type: 'string', examples: ['2023-06-01'] },
}
