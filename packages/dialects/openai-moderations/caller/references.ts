import { fieldPath } from '../../json/explain.ts'
import type { SearchedFormat } from '../../requests/references.ts'

/** Texts refer to nothing that is kept elsewhere; images may. */
export const moderationReferences: SearchedFormat = {
  path: fieldPath,
  turns: 'input',
  isOwn: (name, trail) => trail.length === 0 && name === 'metadata',
  isProse: (name, _holder, trail) => trail.length === 0 && name === 'input',
}
