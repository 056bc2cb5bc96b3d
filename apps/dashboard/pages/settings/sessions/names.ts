import type { Schemas } from '../../../api/client.ts'
import { counted } from '../../../format/number.ts'
import { browserOf, systemOf } from './user-agent.ts'

type Session = Schemas['Session']

/** What a session is called in a list. */
export function nameOf({ kind, name, user_agent: userAgent }: Session): string {
  if (kind === 'browser') return browserOf(userAgent) ?? 'A browser'
  if (kind !== 'command_line') return name ?? 'A program'
  const system = systemOf(userAgent)
  return system === undefined ? 'Command line' : `Command line on ${system}`
}

const permissions: Record<string, string> = {
  'usage:read': 'see usage',
  'keys:write': 'make keys',
  'topup:write': 'start top-ups',
  chat: 'send prompts',
}

export function whatOf({ kind, scopes }: Session): string {
  switch (kind) {
    case 'browser':
      return 'the dashboard, in all of its tabs'
    case 'command_line':
      return 'signed in as you'
    case 'device':
      return 'uses a key of yours'
    case 'app':
      return `app; it may ${(scopes ?? []).map((scope) => permissions[scope] ?? scope).join(', ')}`
  }
}

const kindNames = { browser: 'browser', command_line: 'command line', device: 'device', app: 'app' }

/** `2 browsers, 1 device`. */
export function countsOf(sessions: readonly Session[]): string {
  return Object.entries(kindNames)
    .map(([kind, name]) => [sessions.filter((one) => one.kind === kind).length, name] as const)
    .filter(([count]) => count > 0)
    .map(([count, name]) => counted(count, name))
    .join(', ')
}
