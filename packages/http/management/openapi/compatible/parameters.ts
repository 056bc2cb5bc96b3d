import type { Parameter } from '../document-types.ts'

export const tagsParameter: Parameter = {
  name: 'x-turnpike-tags',
  in: 'header',
  description: 'Tags, separated by commas: together with `metadata.tags` at most 20.',
  schema: { type: 'string' },
}

/** All of Anthropic's clients send it, whatever they ask for. */
export const anthropicVersion: Parameter = {
  name: 'anthropic-version',
  in: 'header',
  description: 'The version that the client speaks: any. A vendor of this format is sent it as it came.',
  schema: { type: 'string', examples: ['2023-06-01'] },
}
