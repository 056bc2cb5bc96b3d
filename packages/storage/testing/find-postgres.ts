import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const oldestVersion = 15

/** Where the usual packages put the server's programs, which are seldom on the PATH. */
const usualPlaces = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql*/bin',
  '/usr/local/opt/postgresql*/bin',
]

/** The directory of the newest PostgreSQL's programs; undefined where there is none that is new enough. */
export function findPostgres(): string | undefined {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), ...globSync(usualPlaces)]
  let newest: { directory: string; version: number } | undefined
  for (const directory of new Set(directories)) {
    const version = serverVersion(directory)
    if (version >= oldestVersion && version > (newest?.version ?? 0)) newest = { directory, version }
  }
  return newest?.directory
}

/** The major version, 0 where the directory holds no complete server. */
function serverVersion(directory: string): number {
  if (!existsSync(join(directory, 'initdb')) || !existsSync(join(directory, 'postgres'))) return 0
  const { stdout } = spawnSync(join(directory, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/(\d+)(\.|beta|rc|devel)?/.exec(stdout ?? '')?.[1] ?? 0)
}
