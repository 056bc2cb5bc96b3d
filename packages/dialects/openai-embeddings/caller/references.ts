import { fieldPath } from '../../json/explain.ts'
import type { SearchedFormat } from '../../requests/references.ts'

/** Which members of an embedding body refer to nothing that is kept elsewhere. */
export const embeddingsReferences: SearchedFormat = {
  path: fieldPath,
  turns: 'messages',
  isOwn: (name, trail) => trail.length === 0 && (name === 'metadata' || name === 'input'),
  isProse: (name, _holder, trail) => trail.length === 0 && name === 'input',
}
