import type { Session } from '@turnpike/api'
import type { Column } from '../../terminal/table.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { when } from '../../terminal/time.ts'

/** The session's own name, or the program that its requests name. */
export function nameOf(session: Session): string {
  const { name, user_agent: agent, key_id: keyId, organization_id: id, organization_name: of } = session
  const own = oneLine(name ?? agent ?? keyId ?? '')
  return id === null ? own : `${own}, for ${oneLine(of ?? id)}`
}

export const sessionColumns: Column<Session>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  {
    field: 'kind',
    title: 'KIND',
    text: ({ kind, current }) => `${kind.replace('_', ' ')}${current ? ' (this one)' : ''}`,
    paint: (text, { current }, style) => (current ? style.green(text) : text),
  },
  { field: 'name', title: 'NAME', text: nameOf },
  { field: 'address', title: 'ADDRESS', text: ({ address }) => address ?? '', narrow: 'drop' },
  {
    field: 'last_used_at',
    title: 'LAST USED',
    text: ({ last_used_at: used }, screen) => when(used, screen),
    narrow: 'drop',
  },
  {
    field: 'created_at',
    title: 'SIGNED IN',
    text: ({ created_at: created }, screen) => when(created, screen),
    narrow: 'drop',
  },
]
