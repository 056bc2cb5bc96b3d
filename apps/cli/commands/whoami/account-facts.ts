import { type Account, dollars } from '@turnpike/api'
import type { Screen } from '../../terminal/screen.ts'
import { facts } from '../../terminal/table.ts'
import { oneLine } from '../../terminal/text-width.ts'

/** `Ada Lovelace <ada@example.com>`, or as much as is known. */
export function nameOf({ display_name: name, email, id }: Account): string {
  if (name && email && name !== email) return oneLine(`${name} <${email}>`)
  return oneLine(name || email || id)
}

export function accountFacts(account: Account, apiUrl: string, screen: Screen): string {
  const { style } = screen
  const isActive = account.status === 'active'
  const status = oneLine(account.status)
  const rows: [string, string][] = [
    ['account', account.id],
    ['balance', dollars(account.balance_usd)],
    ['status', isActive ? style.green(status) : style.red(status)],
    ['tier', oneLine(account.tier)],
    ['server', apiUrl],
  ]
  const waiting = account.unassigned_usd
  if (Number(waiting) > 0)
    rows.splice(2, 0, ['unassigned', `${dollars(waiting)}, for the next key you create`])
  if (account.email !== null && account.email_verified === false)
    rows.splice(-1, 0, ['email', `${oneLine(account.email)}, not verified`])
  return `${style.bold(nameOf(account))}\n${facts(rows, screen)}`
}
