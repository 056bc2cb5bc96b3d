import { badInput } from '../../failure.ts'

/** The path of a key in the API. Rejects a key in place of its id, which would end up in logs. */
export function keyPath(id: string, tail = ''): string {
  if (id.startsWith('sk-')) throw badInput('Expected the id of a key (key_…), not the key itself.', 'id')
  return `/api/v1/me/keys/${encodeURIComponent(id)}${tail}`
}
