import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename, join } from 'node:path'
import { firstLines } from './text.js'
import { isWritable } from './writable.js'

/** Files in the dashboard's folder that are not part of the build. */
const besides = /^(node_modules|dist|testing|\.building-\d+)$|\.test\.ts$|\.md$/

/** Whether a file or folder of the dashboard is part of its build. */
export function isOfBuild(path) {
  return !besides.test(basename(path))
}

/** SHA-256 of the dashboard's sources and of the versions of what they import. */
export function dashboardFingerprint(root) {
  const hash = createHash('sha256')
  for (const path of sourcesIn(join(root, 'apps', 'dashboard'), '')) {
    hash.update(`${path}\0`).update(readFileSync(join(root, 'apps', 'dashboard', path)))
  }
  return hash.digest('hex')
}

/** Whether `apps/dashboard/dist` was built from the current sources. */
export function isDashboardCurrent(root) {
  try {
    const manifest = readFileSync(join(root, 'apps', 'dashboard', 'dist', 'manifest.json'), 'utf8')
    return JSON.parse(manifest).fingerprint === dashboardFingerprint(root)
  } catch {
    return false
  }
}

export function dashboardBuild(root) {
  return [join(root, 'apps', 'dashboard', 'build', 'main.ts'), dashboardFingerprint(root)]
}

/** Builds while the server runs, which serves the existing build until then. A failure is only reported. */
export function buildDashboardBeside(root, node) {
  const hasSources = existsSync(join(root, 'apps', 'dashboard', 'build', 'main.ts'))
  if (!hasSources || isDashboardCurrent(root)) return
  const reportFailure = (reason) =>
    process.stderr.write(`turnpike: the dashboard could not be built: ${reason}\n`)
  const folders = [root, ...['.cache', '.runtime'].map((name) => join(root, name)).filter(existsSync)]
  const closed = folders.find((folder) => !isWritable(folder))
  if (closed !== undefined) return reportFailure(`${closed} cannot be written by this user; all else works`)
  const logFile = join(root, '.cache', 'dashboard-build.log')
  mkdirSync(join(root, '.cache'), { recursive: true })
  // The file may belong to another user.
  rmSync(logFile, { force: true })
  const log = openSync(logFile, 'w')
  const script = join(root, 'bin', 'build-dashboard.js')
  const child = spawn(node, [script], { cwd: root, stdio: ['ignore', log, log] })
  child.once('error', (error) => reportFailure(error.message))
  child.once('exit', (code, signal) => {
    if (code !== 0 && signal === null) reportFailure(firstLines(readFileSync(logFile, 'utf8')))
  })
  // A build must not slow the gateway down, which the user is waiting for.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  child.unref()
}

function sourcesIn(folder, prefix) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => isOfBuild(entry.name))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${prefix}${entry.name}`
      return entry.isDirectory() ? sourcesIn(join(folder, entry.name), `${path}/`) : [path]
    })
}
