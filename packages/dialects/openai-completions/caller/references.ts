import { fieldPath } from '../../json/explain.ts'
import type { SearchedFormat } from '../../requests/references.ts'

/** Which members of a completions body refer to nothing that is kept elsewhere. */
export const completionsReferences: SearchedFormat = {
  path: fieldPath,
  turns: 'messages',
  isOwn(name, trail) {
    const depth = trail.length
    if (depth === 0) return name === 'metadata' || name === 'logit_bias' || name === 'prompt'
    return name === 'schema' && trail[depth - 1] === 'json_schema'
  },
  isProse: (name, _holder, trail) => trail.length === 0 && (name === 'prompt' || name === 'suffix'),
}
