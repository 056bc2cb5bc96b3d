import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const oldestVersion = 15

/** Where the usual packages install the server's programs, which are rarely on the PATH. */
const usualPlaces = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql*/bin',
  '/usr/local/opt/postgresql*/bin',
]

/** The directory of the newest PostgreSQL's programs; undefined if there is none or it is too old. */
export function findPostgres(): string | undefined {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), ...globSync(usualPlaces)]
  let newest: { directory: string; version: number } | undefined
  for (const directory of new Set(directories)) {
    const version = serverVersion(directory)
    if (version >= oldestVersion && version > (newest?.version ?? 0)) newest = { directory, version }
  }
  return newest?.directory
}

/** The major version; 0 if the directory does not contain a complete server. */
function serverVersion(directory: string): number {
  if (!existsSync(join(directory, 'initdb')) || !existsSync(join(directory, 'postgres'))) return 0
  const { stdout } = spawnSync(join(directory, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/(\d+)(\.|beta|rc|devel)?/.exec(stdout ?? '')?.[1] ?? 0)
}
