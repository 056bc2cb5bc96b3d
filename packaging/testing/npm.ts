import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

export interface Packed {
  /** The tarball. */
  file: string
  sha256: string
  /** What is in it, from the package's folder. */
  paths: string[]
  unpackedBytes: number
}

interface Told {
  filename: string
  unpackedSize: number
  files: { path: string }[]
}

/** This Node first, as a program that is called by its name looks for one. */
export const environment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env['PATH']].filter(Boolean).join(delimiter),
}

/** `npm pack`, as whoever publishes the package does. */
export function packInto(destination: string, sources: string): Packed {
  mkdirSync(destination, { recursive: true })
  const said = npm(['pack', '--json', '--pack-destination', destination], sources)
  // npm 11 lists packages, npm 12 names them.
  const [told] = Object.values(JSON.parse(said.slice(said.search(/^[[{]/m))) as Record<string, Told>)
  const file = join(destination, told!.filename)
  return {
    file,
    sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
    paths: told!.files.map(({ path }) => path),
    unpackedBytes: told!.unpackedSize,
  }
}

/** What a user does who has nothing, and no network. */
export function installInto(folder: string, tarball: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{}')
  npm(['install', '--offline', '--no-audit', '--no-fund', tarball], folder)
}

function npm(words: string[], cwd: string): string {
  return execFileSync('npm', words, {
    cwd,
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
