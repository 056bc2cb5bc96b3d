import { budgetScopes } from '@turnpike/api'
import { badInput } from '../../failure.ts'
import { flag, list } from '../../program/command.ts'
import { wholeNumber } from '../../program/number-option.ts'

const maxPercent = 1_000

/** Options for creating and changing a budget. */
export const ruleOptions = {
  hard: flag('Hard: refuse requests beyond the limit'),
  soft: flag('Soft: only notify'),
  notify: list('percents', 'Percentages at which to notify, such as 50,80,100; none: never'),
}

interface Rules {
  hard: boolean
  soft: boolean
  notify: string[]
}

/** The options as the API takes them; an absent one changes nothing. */
export function rulesBody({ hard, soft, notify: threshold }: Rules): object {
  const notify = threshold.flatMap((one) => one.split(','))
  if (hard && soft) throw badInput('--hard and --soft: expected only one of them.', '--soft')
  const percents = notify.filter((one) => one !== 'none')
  if (percents.length > 0 && percents.length < notify.length)
    throw badInput('--notify: expected percentages, or only `none`.', '--notify')
  return {
    ...((hard || soft) && { hard }),
    ...(notify.length > 0 && {
      notify: percents.map((one) => wholeNumber(one, '--notify', { min: 1, max: maxPercent })),
    }),
  }
}

export function budgetPath(id: string, tail = ''): string {
  return `/api/v1/budgets/${encodeURIComponent(id)}${tail}`
}

/** `tag:team:search` → the scope `tag`, the subject `team:search` */
export function scopeBody(on: string): { scope: string; subject?: string } {
  const colon = on.indexOf(':')
  const scope = colon === -1 ? on : on.slice(0, colon)
  const subject = colon === -1 ? '' : on.slice(colon + 1)
  if (!budgetScopes.some((one) => one === scope)) throw badScope(on)
  if ((subject === '') !== (scope === 'organization')) throw badScope(on)
  return { scope, ...(subject !== '' && { subject }) }
}

function badScope(on: string) {
  const forms = budgetScopes.map((scope) => (scope === 'organization' ? scope : `${scope}:…`)).join(', ')
  return badInput(`--on: expected one of ${forms}, got "${on}".`, '--on')
}
