import type { Delivery, DeliveryWithLog } from '@turnpike/api'
import type { Screen } from '../../terminal/screen.ts'
import type { Style } from '../../terminal/style.ts'
import { facts, type Column } from '../../terminal/table.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { when } from '../../terminal/time.ts'

export function deliveryPath(id: string, tail = ''): string {
  return `/api/v1/deliveries/${encodeURIComponent(id)}${tail}`
}

function paintStatus(text: string, { status }: Delivery, style: Style): string {
  if (status === 'delivered') return style.green(text)
  return status === 'pending' ? style.yellow(text) : style.red(text)
}

export const deliveryColumns: Column<Delivery>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  {
    field: 'event_type',
    title: 'EVENT',
    text: ({ event_type: type }) => type,
    paint: (text, _, { bold }) => bold(text),
  },
  { field: 'status', title: 'STATUS', text: ({ status }) => status, paint: paintStatus, narrow: 'keep' },
  { field: 'attempts', title: 'TRIES', align: 'right', text: ({ attempts }) => String(attempts) },
  {
    field: 'next_attempt_at',
    title: 'NEXT ATTEMPT',
    text: ({ next_attempt_at: next }, screen) => when(next, screen),
    narrow: 'drop',
  },
  { field: 'target_id', title: 'TARGET', text: ({ target_id: target }) => target, narrow: 'drop' },
  {
    field: 'created_at',
    title: 'SINCE',
    text: ({ created_at: created }, screen) => when(created, screen),
    narrow: 'drop',
  },
]

/** A delivery, and each attempt with the receiver's response. */
export function deliveryFacts(delivery: DeliveryWithLog, screen: Screen): string {
  const { style } = screen
  const rows: [string, string][] = [
    ['id', delivery.id],
    ['event', delivery.event_id],
    ['target', delivery.target_id],
    ['status', paintStatus(delivery.status, delivery, style)],
  ]
  if (delivery.next_attempt_at !== null) rows.push(['next attempt', when(delivery.next_attempt_at, screen)])
  const attempts = delivery.log.map(({ number, at, status, duration_ms: ms, error, answer }) => {
    const parts = [status ?? 'no response', `${ms} ms`, error, answer].filter((part) => part !== null)
    return [`attempt ${number}`, `${when(at, screen)}: ${oneLine(parts.join(', '))}`] as [string, string]
  })
  return `${style.bold(oneLine(delivery.event_type))}\n${facts([...rows, ...attempts], screen)}`
}
