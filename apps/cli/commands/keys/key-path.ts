import { badInput } from '../../failure.ts'

/** Where a key is in the API. A key itself in place of its id would end up in logs, so it is not sent. */
export function keyPath(id: string, tail = ''): string {
  if (id.startsWith('sk-')) throw badInput('Expected the id of a key (key_…), not the key itself.', 'id')
  return `/api/v1/me/keys/${encodeURIComponent(id)}${tail}`
}
