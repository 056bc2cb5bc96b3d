import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOf, workspacesOf } from './lock-file.js'
import { withLock } from './lock.js'
import { explainNpm, runNpm } from './npm.js'
import { seconds } from './text.js'
import { requireWritable } from './writable.js'

/**
 * Workspaces that neither the gateway nor the command line needs. Their dependencies are installed on demand:
 * to build the dashboard (bin/dashboard.js), or for everything else together with the root's tools.
 */
const besides = ['apps/dashboard', 'bench', 'tests', 'tools/routing']

/** Left in node_modules if npm is killed while it adds packages. */
const addingFile = '.turnpike-adding'

/**
 * Installs what is missing or differs from the lock file: only what the gateway and the command line need, or
 * everything, including tools and test dependencies. Extra packages are left as they are.
 */
export async function bringDependencies(root, node, { everything }) {
  if (areInstalled(root, everything)) return
  requireWritable(root, 'the dependencies are installed in it')
  await withLock(
    join(root, '.runtime', 'dependencies.lock'),
    async () => {
      if (!areInstalled(root, everything)) await install(root, node, everything)
    },
    () => process.stderr.write('turnpike: waiting for a start that is installing the dependencies …\n'),
  )
}

/**
 * As its last step, npm records what it has installed in `node_modules/.package-lock.json`. So this also
 * detects an interrupted installation, and leaves alone one that the user made by hand.
 */
export function areInstalled(root, everything) {
  const installedFile = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile) || existsSync(join(root, 'node_modules', addingFile))) return false
  const lock = readLock(root)
  let installed
  try {
    installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  } catch {
    return false
  }
  const wanted = everything ? Object.keys(lock.packages) : packagesOf(lock, runningWorkspaces(lock))
  return wanted.every((path) => {
    if (!path.includes('node_modules/')) return true
    const entry = lock.packages[path]
    const found = installed[path]
    if (found !== undefined) return found.version === entry.version && found.integrity === entry.integrity
    return Boolean(entry.optional || entry.devOptional)
  })
}

function readLock(root) {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
}

function runningWorkspaces(lock) {
  return workspacesOf(lock).filter((path) => !besides.includes(path))
}

async function install(root, node, everything) {
  process.stderr.write(
    `turnpike: installing the dependencies${everything ? ' and the tools' : ''} (npm ci) …\n`,
  )
  const startedMs = Date.now()
  const { code, output } = await (everything && areInstalled(root, false)
    ? addTools(root, node)
    : runNpm(['ci', '--include=dev', ...(everything ? [] : only(runningWorkspaces(readLock(root))))], {
        cwd: root,
        node,
      }))
  if (code !== 0) throw new Error(`npm ci failed (exit code ${code})\n${explainNpm(output)}`)
  process.stderr.write(`turnpike: dependencies are there (${seconds(startedMs)})\n`)
}

/**
 * Adds packages by `npm install`: `npm ci` would first remove everything, even under a running gateway. If
 * this is killed, the state of node_modules is unknown, so the next installation is an `npm ci`.
 */
async function addTools(root, node) {
  const adding = join(root, 'node_modules', addingFile)
  writeFileSync(adding, '')
  const result = await runNpm(['install', '--include=dev', '--no-save'], { cwd: root, node })
  if (result.code === 0) rmSync(adding, { force: true })
  return result
}

/** npm's arguments for these workspaces alone, without the root's own dependencies. */
export function only(workspaces) {
  return [...workspaces.map((path) => `--workspace=${path}`), '--include-workspace-root=false']
}
