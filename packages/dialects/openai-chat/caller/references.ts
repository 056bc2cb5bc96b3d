import { fieldPath } from '../../json/explain.ts'
import type { SearchedFormat } from '../../requests/references.ts'

/** Which members of a chat body refer to nothing that is kept elsewhere. */
export const chatReferences: SearchedFormat = {
  path: fieldPath,
  turns: 'messages',
  isOwn(name, trail) {
    const depth = trail.length
    if (depth === 0) return name === 'metadata' || name === 'logit_bias'
    if (name === 'parameters') return trail[depth - 1] === 'function' || trail[0] === 'functions'
    return name === 'schema' && trail[depth - 1] === 'json_schema'
  },
  isProse: () => false,
}
