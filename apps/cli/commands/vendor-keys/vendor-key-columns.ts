import type { VendorKey } from '@turnpike/api'
import type { Screen } from '../../terminal/screen.ts'
import type { Style } from '../../terminal/style.ts'
import { facts, type Column } from '../../terminal/table.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { when } from '../../terminal/time.ts'

export function vendorKeyPath(id: string, tail = ''): string {
  return `/api/v1/vendor-keys/${encodeURIComponent(id)}${tail}`
}

function stateText({ status, refused_at: refused }: VendorKey): string {
  return status === 'active' && refused !== null ? 'refused' : status
}

function paintStatus(text: string, { status, refused_at: refused }: VendorKey, style: Style): string {
  if (status !== 'active') return style.dim(text)
  return refused === null ? style.green(text) : style.red(text)
}

function fallbackText({ allow_fallback_to_shared: allowed }: VendorKey): string {
  return allowed ? 'yes' : 'no'
}

export const vendorKeyColumns: Column<VendorKey>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  { field: 'provider', title: 'PROVIDER', text: ({ provider }) => provider, narrow: 'keep' },
  { field: 'name', title: 'NAME', text: ({ name }) => name, paint: (text, _, { bold }) => bold(text) },
  { field: 'last4', title: 'KEY', text: ({ last4 }) => `…${last4}` },
  { field: 'status', title: 'STATE', text: stateText, paint: paintStatus, narrow: 'keep' },
  { field: 'allow_fallback_to_shared', title: 'FALLBACK', text: fallbackText, narrow: 'drop' },
  {
    field: 'last_used_at',
    title: 'USED',
    text: ({ last_used_at: at }, screen) => when(at, screen, 'never'),
    narrow: 'drop',
  },
]

export function vendorKeyFacts(key: VendorKey, screen: Screen): string {
  const rows: [string, string][] = [
    ['id', key.id],
    ['provider', oneLine(key.provider)],
    ['key', `…${oneLine(key.last4)}`],
    ['state', paintStatus(stateText(key), key, screen.style)],
    [
      'if it fails',
      key.allow_fallback_to_shared ? 'use the gateway’s own keys, for credit' : 'fail the request',
    ],
    ['place', String(key.position)],
    ['used', when(key.last_used_at, screen, 'never')],
  ]
  if (key.refused_at !== null) rows.push(['refused', when(key.refused_at, screen)])
  return `${screen.style.bold(oneLine(key.name))}\n${facts(rows, screen)}`
}
