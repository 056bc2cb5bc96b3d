import { homedir } from 'node:os'
import { join } from 'node:path'
import { badInput } from './failure.ts'

export type Environment = Record<string, string | undefined>

const defaultApiUrl = 'http://127.0.0.1:8787'
const defaultTimeoutSeconds = 30

/** The environment variables that turnpike reads, for the help and the reference. */
export const environmentVariables: Record<string, string> = {
  TURNPIKE_API_URL: `Address of the gateway (default ${defaultApiUrl}).`,
  TURNPIKE_API_KEY: 'API key for model calls; makes `turnpike login` unnecessary for them.',
  TURNPIKE_ORG: 'Organization to act for (name or id), as `--org`.',
  TURNPIKE_JSON: 'Set to 1 for machine-readable output, as `--json`.',
  TURNPIKE_CONFIG_DIR:
    'Folder for credentials and the cached key (default `$XDG_CONFIG_HOME/turnpike`, else ' +
    '`~/.config/turnpike`; on Windows `%APPDATA%\\turnpike`).',
  TURNPIKE_TIMEOUT_SECONDS: `Seconds until an answer must begin (default ${defaultTimeoutSeconds}).`,
  TURNPIKE_FORCE_TTY: 'Format output for a terminal with this many columns, also in a pipe.',
  BROWSER: 'Program that opens URLs; `none` opens nothing.',
  NO_COLOR: 'Set it to turn off colours.',
  'HTTPS_PROXY, HTTP_PROXY, NO_PROXY': 'Proxies; this machine is always reached directly.',
  NODE_EXTRA_CA_CERTS: 'PEM file with certificates of your own authority.',
}

/** The gateway's address, without a slash at its end. */
export function apiUrlOf(environment: Environment): string {
  const text = environment.TURNPIKE_API_URL?.trim() || defaultApiUrl
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw badInput(
      `TURNPIKE_API_URL: expected an address such as ${defaultApiUrl}, got "${text}".`,
      'TURNPIKE_API_URL',
    )
  }
  return url.href.replace(/\/+$/, '')
}

/** How long a response may take to begin. */
export function timeoutMsOf(environment: Environment): number {
  const text = environment.TURNPIKE_TIMEOUT_SECONDS?.trim() || String(defaultTimeoutSeconds)
  const seconds = Number(text)
  if (Number.isFinite(seconds) && seconds > 0) return Math.min(seconds * 1000, 2 ** 31 - 1)
  throw badInput(
    `TURNPIKE_TIMEOUT_SECONDS: expected a number of seconds, got "${text}".`,
    'TURNPIKE_TIMEOUT_SECONDS',
  )
}

/** Whether the command line or the environment requests JSON output. */
export function wantsJson(commandLine: readonly string[], environment: Environment): boolean {
  const end = commandLine.indexOf('--')
  const flags = end === -1 ? commandLine : commandLine.slice(0, end)
  return flags.includes('--json') || /^(1|true)$/i.test(environment.TURNPIKE_JSON?.trim() ?? '')
}

/** The folder of this user's files (docs/contract.md, 8.3). */
export function directoryOf(environment: Environment, platform: NodeJS.Platform = process.platform): string {
  if (environment.TURNPIKE_CONFIG_DIR) return environment.TURNPIKE_CONFIG_DIR
  if (environment.XDG_CONFIG_HOME) return join(environment.XDG_CONFIG_HOME, 'turnpike')
  if (platform === 'win32' && environment.APPDATA) return join(environment.APPDATA, 'turnpike')
  return join(environment.HOME || homedir(), '.config', 'turnpike')
}
