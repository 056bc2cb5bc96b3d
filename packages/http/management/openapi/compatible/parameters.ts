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
    'What becomes of fields that the model’s vendor cannot honour: `refuse` them (400), or `drop` them ' +
    'and name them in `x-turnpike-dropped`. Absent: as the body’s `provider.require_parameters`, the key ' +
    'or the gateway’s operator has it.',
  schema: { type: 'string', enum: [...unsupportedFieldsRules] },
}

/** All of Anthropic's clients send it, whatever they ask for. */
export const anthropicVersion: Parameter = {
  name: 'anthropic-version',
  in: 'header',
  description: 'The version that the client speaks: any. A vendor of this format is sent it as it came.',
  schema: { type: 'string', examples: ['2023-06-01'] },
}
