import { fieldPath } from '../../json/explain.ts'
import type { SearchedFormat } from '../../requests/references.ts'

const prose: ReadonlySet<string> = new Set(['query', 'documents', 'rank_fields', 'metadata'])

/** Which members of a rerank body refer to nothing that is kept elsewhere. */
export const rerankReferences: SearchedFormat = {
  path: fieldPath,
  turns: 'messages',
  isOwn: (name, trail) => trail.length === 0 && prose.has(name),
  isProse: (name, _holder, trail) => trail.length === 0 && prose.has(name),
}
