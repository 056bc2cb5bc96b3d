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

/** What the bundle depends on besides its own sources: the packages in it, and the code that builds it. */
const othersInside = ['package-lock.json', 'packaging/bundle-gateway.ts', 'packaging/files-beside.ts']

/**
 * Node's arguments for a gateway. Two threads for V8's compiler and collector instead of four: 20 MB less,
 * because the allocator keeps what each has used, and no more CPU per request.
 */
export const nodeArguments = ['--v8-pool-size=2']

/**
 * Variables for a gateway's process, unless the operator sets them. With two heaps of glibc's allocator
 * instead of one for each thread, threads use what others have freed: 5 MB less after a start, 10 after
 * requests, 25 after streams, and the same CPU per request.
 */
export const gatewayVariables = { MALLOC_ARENA_MAX: '2' }

/** Size and time of these files and of those that build the bundle; undefined if one is missing. */
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
 * What `npm start` runs: the bundle, which starts in half the time, if it was built from the current sources;
 * else the sources.
 */
export function serverProgram(root) {
  return currentBundle(root) ?? join(root, 'apps', 'server', 'main.js')
}

/** The bundle's program; undefined if there is no bundle, or only an outdated one. */
export function currentBundle(root) {
  try {
    const { name, root: madeIn, files } = JSON.parse(readFileSync(currentFile(root), 'utf8'))
    const now = stampsOf(root, Object.keys(files))
    // A copied checkout has other paths.
    if (madeIn !== root || now === undefined) return undefined
    const changed = Object.keys(now).some((path) => String(now[path]) !== String(files[path]))
    const program = join(root, '.cache', 'server', name, 'turnpike-gateway.js')
    if (changed || !existsSync(program)) return undefined
    keepBundle(program)
    return program
  } catch {
    // There is no bundle yet, it is incomplete, or this user may not write there. The sources always work.
    return undefined
  }
}

/** Marks the bundle as used for as long as this process lives: a running gateway still reads its files. */
function keepBundle(program) {
  const file = join(dirname(program), `used-by-${process.pid}`)
  writeFileSync(file, '')
  process.once('exit', () => rmSync(file, { force: true }))
}

/** Builds the bundle for the next start while this one runs. A failure is only reported. */
export function buildServerBeside(root, node) {
  // Without the tools, nothing can build it.
  if (!existsSync(join(root, 'node_modules', 'rolldown'))) return
  const folders = [root, ...['.cache', '.runtime'].map((name) => join(root, name)).filter(existsSync)]
  if (folders.some((folder) => !isWritable(folder))) return
  const logFile = join(root, '.cache', 'server-build.log')
  mkdirSync(join(root, '.cache'), { recursive: true })
  // The file may belong to another user.
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
  // A build must not slow the gateway down, which the user is waiting for.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  child.unref()
}
