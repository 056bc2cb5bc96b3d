import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { firstLines } from './text.js'
import { isWritable } from './writable.js'

/** Names the newest bundle and its sources: `{ name, root, files: { path: [size, mtimeMs] } }`. */
export function currentFile(root) {
  return join(root, '.cache', 'server', 'current.json')
}

/** Of the packages that the bundle holds; and of what makes it. */
const othersInside = ['package-lock.json', 'packaging/bundle-gateway.ts', 'packaging/files-beside.ts']

/** Size and time of these files, and of those that make each bundle; undefined where one is gone. */
export function stampsOf(root, paths) {
  const stamps = {}
  for (const path of [...paths, ...othersInside]) {
    const stat = statSync(join(root, path), { throwIfNoEntry: false })
    if (stat === undefined) return undefined
    stamps[path] = [stat.size, stat.mtimeMs]
  }
  return stamps
}

/**
 * What `npm start` runs: the bundle, which starts in half of the time, where it was made of the sources as
 * they are; else the sources.
 */
export function serverProgram(root) {
  return currentBundle(root) ?? join(root, 'apps', 'server', 'main.js')
}

/** Its program; undefined where there is no bundle, or an older one. */
export function currentBundle(root) {
  try {
    const { name, root: madeIn, files } = JSON.parse(readFileSync(currentFile(root), 'utf8'))
    const now = stampsOf(root, Object.keys(files))
    // A checkout that was copied has other paths.
    if (madeIn !== root || now === undefined) return undefined
    const changed = Object.keys(now).some((path) => String(now[path]) !== String(files[path]))
    const program = join(root, '.cache', 'server', name, 'turnpike-gateway.js')
    if (changed || !existsSync(program)) return undefined
    keepBundle(program)
    return program
  } catch {
    // There is none yet, it is not whole, or this user may not write there: the sources are always there.
    return undefined
  }
}

/** A running gateway still reads files of its bundle: it stays for as long as this process lives. */
function keepBundle(program) {
  const file = join(dirname(program), `used-by-${process.pid}`)
  writeFileSync(file, '')
  process.once('exit', () => rmSync(file, { force: true }))
}

/** Makes the bundle for the next start, beside this one. A failure is said, no more. */
export function buildServerBeside(root, node) {
  // Without the tools there is nothing that could make it.
  if (!existsSync(join(root, 'node_modules', 'rolldown'))) return
  const folders = [root, ...['.cache', '.runtime'].map((name) => join(root, name)).filter(existsSync)]
  if (folders.some((folder) => !isWritable(folder))) return
  const logFile = join(root, '.cache', 'server-build.log')
  mkdirSync(join(root, '.cache'), { recursive: true })
  // It may be another user's.
  rmSync(logFile, { force: true })
  const log = openSync(logFile, 'w')
  const child = spawn(node, [join(root, 'bin', 'build-server.js')], {
    cwd: root,
    stdio: ['ignore', log, log],
  })
  const failed = (reason) => process.stderr.write(`turnpike: the next start will be no faster: ${reason}\n`)
  child.once('error', (error) => failed(error.message))
  child.once('exit', (code, signal) => {
    if (code !== 0 && signal === null) failed(firstLines(readFileSync(logFile, 'utf8')))
  })
  // Whoever waits, waits for the gateway.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  child.unref()
}
