import type { EventTarget } from '@turnpike/api'
import type { Screen } from '../../terminal/screen.ts'
import type { Style } from '../../terminal/style.ts'
import { facts, type Column } from '../../terminal/table.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { when } from '../../terminal/time.ts'

export function targetPath(id: string, tail = ''): string {
  return `/api/v1/event-targets/${encodeURIComponent(id)}${tail}`
}

function addressText({ url, email, roles }: EventTarget): string {
  return url ?? email ?? roles?.join(', ') ?? ''
}

function typesText({ types }: EventTarget): string {
  return types.includes('*') ? 'everything' : types.join(', ')
}

function paintStatus(text: string, { status }: EventTarget, style: Style): string {
  if (status === 'active') return style.green(text)
  return status === 'unconfirmed' ? style.yellow(text) : style.red(text)
}

export const targetColumns: Column<EventTarget>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  { field: 'name', title: 'NAME', text: ({ name }) => name, paint: (text, _, { bold }) => bold(text) },
  { field: 'kind', title: 'KIND', text: ({ kind }) => kind, narrow: 'drop' },
  { field: 'status', title: 'STATUS', text: ({ status }) => status, paint: paintStatus, narrow: 'keep' },
  { field: 'types', title: 'EVENTS', text: typesText, narrow: 'drop' },
  { field: 'url', title: 'TO', text: addressText, narrow: 'drop' },
]

export function targetFacts(target: EventTarget, screen: Screen, secret: string | null = null): string {
  const rows: [string, string][] = [
    ['id', target.id],
    ['kind', target.kind],
    ['to', oneLine(addressText(target))],
    ['events', oneLine(typesText(target))],
    ['status', paintStatus(target.status, target, screen.style)],
  ]
  if (target.disabled_reason !== null) rows.push(['because', oneLine(target.disabled_reason)])
  if (target.failures_in_row > 0) rows.push(['failed', `${target.failures_in_row} events in a row`])
  if (target.previous_secret_until !== null)
    rows.push(['old secret', `also signs until ${when(target.previous_secret_until, screen)}`])
  if (secret !== null) rows.push(['secret', oneLine(secret)])
  return `${screen.style.bold(oneLine(target.name))}\n${facts(rows, screen)}`
}
