import { unsupportedFieldsRules } from '@turnpike/protocol'
import type { DocumentedOperation } from '../document-types.ts'

/** What a call to a model may say beside its body. */
export const requestHeaders: NonNullable<DocumentedOperation['parameters']> = [
  {
    name: 'x-turnpike-tags',
    in: 'header',
    description: 'Tags, separated by commas: together with `metadata.tags` at most 20.',
    schema: { type: 'string' },
  },
  {
    name: 'x-turnpike-unsupported',
    in: 'header',
    description:
      'What becomes of fields that the model’s vendor cannot honour: `refuse` them (400), or `drop` them ' +
      'and name them in `x-turnpike-dropped`. Absent: as the body’s `provider.require_parameters`, the key ' +
      'or the gateway’s operator has it.',
    schema: { type: 'string', enum: [...unsupportedFieldsRules] },
  },
]
