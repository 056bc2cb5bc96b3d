import type { Delivery, EventTarget } from '@turnpike/api'
import type { Column } from '../../terminal/table.ts'
import { when } from '../../terminal/time.ts'

export const targetsPath = '/api/v1/event-targets'

export function targetPath(id: string, tail = ''): string {
  return `${targetsPath}/${encodeURIComponent(id)}${tail}`
}

/** Where it tells: an address of the web, or of somebody. */
export function placeOf({ url, email, roles }: EventTarget): string {
  return url ?? email ?? roles?.join(', ') ?? ''
}

export const targetColumns: Column<EventTarget>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  { field: 'kind', title: 'KIND', text: ({ kind }) => kind, narrow: 'drop' },
  { field: 'url', title: 'WHERE', text: placeOf, paint: (text, _, { bold }) => bold(text) },
  {
    field: 'types',
    title: 'EVENTS',
    text: ({ types }) => (types.includes('*') ? 'all' : types.join(', ')),
    narrow: 'drop',
  },
  {
    field: 'status',
    title: 'STATUS',
    text: ({ status, disabled_reason: reason }) => (reason === null ? status : `${status}: ${reason}`),
    paint: (text, { status }, style) => (status === 'active' ? style.green(text) : style.yellow(text)),
  },
]

export const deliveryColumns: Column<Delivery>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  { field: 'event_type', title: 'EVENT', text: ({ event_type: type }) => type },
  {
    field: 'status',
    title: 'STATUS',
    text: ({ status }) => status,
    paint: (text, { status }, style) =>
      status === 'delivered' ? style.green(text) : status === 'failed' ? style.red(text) : text,
  },
  { field: 'attempts', title: 'ATTEMPTS', align: 'right', text: ({ attempts }) => String(attempts) },
  {
    field: 'next_attempt_at',
    title: 'NEXT',
    text: ({ next_attempt_at: next }, screen) => when(next, screen),
    narrow: 'drop',
  },
  {
    field: 'created_at',
    title: 'CREATED',
    text: ({ created_at: created }, screen) => when(created, screen),
    narrow: 'drop',
  },
  { field: 'target_id', title: 'TARGET', text: ({ target_id: id }) => id, narrow: 'drop' },
]
