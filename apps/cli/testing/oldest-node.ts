import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const least = 20

/** The oldest Node from 20 on in the PATH, otherwise the one that runs this. */
export function oldestNode(): { path: string; version: string } {
  const folders = [...new Set((process.env['PATH'] ?? '').split(delimiter)), '/usr/bin', '/usr/local/bin']
  const found = folders
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path))
    .map((path) => ({
      path,
      version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().slice(1),
    }))
    .filter(({ version }) => Number.parseInt(version) >= least)
    .sort((a, b) => Number.parseInt(a.version) - Number.parseInt(b.version))
  return found[0] ?? { path: process.execPath, version: process.versions.node }
}
