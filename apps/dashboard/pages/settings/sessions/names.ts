import type { Schemas } from '../../../api/client.ts'
import { countOf } from '../../../format/number.ts'
import { scopesText } from '../../../format/scopes.ts'
import { browserOf, systemOf } from './user-agent.ts'

type Session = Schemas['Session']

/** The name of a session in a list. */
export function nameOf({ kind, name, user_agent: userAgent }: Session): string {
  if (kind === 'browser') return browserOf(userAgent) ?? 'A browser'
  if (kind !== 'command_line') return name ?? 'A program'
  const system = systemOf(userAgent)
  return system === undefined ? 'Command line' : `Command line on ${system}`
}

export function whatOf(session: Session): string {
  const { kind, scopes } = session
  switch (kind) {
    case 'browser':
      return 'the dashboard, in all tabs'
    case 'command_line':
      return 'signed in as you'
    case 'device':
      return 'uses a key of yours'
    case 'app':
      return `app${actsFor(session)}; it may ${scopesText(scopes ?? [])}`
  }
}

function actsFor({ organization_id: id, organization_name: name }: Session): string {
  if (id === null) return ''
  return name === null ? ' for an organization that you left' : ` for ${name}`
}

const kindNames = { browser: 'browser', command_line: 'command line', device: 'device', app: 'app' }

/** `2 browsers, 1 device`. */
export function countsOf(sessions: readonly Session[]): string {
  return Object.entries(kindNames)
    .map(([kind, name]) => [sessions.filter((one) => one.kind === kind).length, name] as const)
    .filter(([count]) => count > 0)
    .map(([count, name]) => countOf(count, name))
    .join(', ')
}
