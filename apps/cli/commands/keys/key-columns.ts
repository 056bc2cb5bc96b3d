import { dollars, type Key } from '@turnpike/api'
import type { Screen } from '../../terminal/screen.ts'
import { facts, type Column } from '../../terminal/table.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { when } from '../../terminal/time.ts'

/** An active key past its expiry is `expired`. */
function stateOf({ status, expires_at: expiresAt }: Key, nowMs: number): string {
  return status === 'active' && expiresAt !== null && expiresAt * 1000 <= nowMs ? 'expired' : status
}

export const keyColumns: Column<Key>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  { field: 'name', title: 'NAME', text: ({ name }) => name, paint: (text, _, { bold }) => bold(text) },
  { field: 'key_prefix', title: 'KEY', text: ({ key_prefix: prefix }) => `${prefix}…`, narrow: 'drop' },
  {
    field: 'status',
    title: 'STATUS',
    text: (key, { nowMs }) => stateOf(key, nowMs),
    paint: (text, { status }, style) => (status === 'active' ? style.green(text) : style.red(text)),
  },
  {
    field: 'balance_usd',
    title: 'BALANCE',
    align: 'right',
    text: (key) => (key.draws_on ? 'shared' : dollars(key.balance_usd)),
    narrow: 'keep',
  },
  { field: 'spend_limit_usd', title: 'SPEND LIMIT', text: limitText, narrow: 'drop' },
  {
    field: 'last_used_at',
    title: 'LAST USED',
    text: ({ last_used_at: used }, screen) => when(used, screen, 'never'),
    narrow: 'drop',
  },
  {
    field: 'created_at',
    title: 'CREATED',
    text: ({ created_at: created }, screen) => when(created, screen),
    narrow: 'drop',
  },
]

/** `$5.00 a day`, `$5.00 in total`; empty without a limit. */
function limitText({ spend_limit_usd: limit, spend_limit_period: period }: Key): string {
  if (limit === null) return ''
  return `${dollars(limit)} ${period === null || period === 'total' ? 'in total' : `a ${period}`}`
}

function formatSpend({ spend_limit_resets_at: resetsAt }: Key, spent: string, screen: Screen): string {
  return resetsAt ? `${dollars(spent)}, resets ${when(resetsAt, screen)}` : dollars(spent)
}

export function keyFacts(key: Key, screen: Screen): string {
  const { style, nowMs } = screen
  const state = stateOf(key, nowMs)
  const rows: [string, string][] = [
    ['id', key.id],
    ['key', `${key.key_prefix}…`],
    ['status', state === 'active' ? style.green(state) : style.red(state)],
    key.draws_on ? ['credit of', key.draws_on] : ['balance', dollars(key.balance_usd)],
    ['created', when(key.created_at, screen)],
    ['last used', when(key.last_used_at, screen, 'never')],
  ]
  if (key.expires_at !== null) rows.push(['expires', when(key.expires_at, screen)])
  if (key.revoked_at !== null) rows.push(['revoked', when(key.revoked_at, screen)])
  if (key.allowed_models !== null) rows.push(['models', oneLine(key.allowed_models.join(', '))])
  if (key.spend_limit_usd !== null) rows.push(['limit', limitText(key)])
  if (key.unsupported_fields) rows.push(['unsupported', `${key.unsupported_fields} fields`])
  if (typeof key.log_prompts === 'boolean') rows.push(['prompts', key.log_prompts ? 'kept' : 'not kept'])
  if (key.spent_usd) rows.push(['spent', formatSpend(key, key.spent_usd, screen)])
  return `${style.bold(oneLine(key.name))}\n${facts(rows, screen)}`
}
