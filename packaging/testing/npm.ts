import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

export interface Packed {
  /** Path of the tarball. */
  file: string
  sha256: string
  /** Paths of the files in it, from the package's folder. */
  paths: string[]
  unpackedBytes: number
}

interface Told {
  filename: string
  unpackedSize: number
  files: { path: string }[]
}

/** Puts this Node first on the path, for programs that look up `node` by its name. */
export const environment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env['PATH']].filter(Boolean).join(delimiter),
}

/** `npm pack`, as a publisher runs it. */
export function packInto(destination: string, sources: string): Packed {
  mkdirSync(destination, { recursive: true })
  const output = npm(['pack', '--json', '--pack-destination', destination], sources)
  // npm 11 prints an array of packages, npm 12 an object by name.
  const [packed] = Object.values(JSON.parse(output.slice(output.search(/^[[{]/m))) as Record<string, Told>)
  const file = join(destination, packed!.filename)
  return {
    file,
    sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
    paths: packed!.files.map(({ path }) => path),
    unpackedBytes: packed!.unpackedSize,
  }
}

/** Installs the tarball into an empty folder, without a network. */
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
