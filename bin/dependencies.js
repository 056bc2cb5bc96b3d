import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOf, workspacesOf } from './lock-file.js'
import { withLock } from './lock.js'
import { explainNpm, runNpm } from './npm.js'
import { seconds } from './text.js'
import { requireWritable } from './writable.js'

/**
 * Which workspaces do not run in the gateway or on the command line. What those import is brought where it is
 * needed: to build the dashboard (bin/dashboard.js), or with the tools of the root, for everything else.
 */
const besides = ['apps/dashboard', 'bench', 'tests', 'tools/routing']

/** What npm leaves behind where it is killed while it adds packages to others. */
const addingFile = '.turnpike-adding'

/**
 * Installs what is missing, or is not what the lock file says: of the gateway and the command line alone, or
 * everything, with the tools and what tests need. What is more than that is left as it is.
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
 * npm writes down what it has installed in `node_modules/.package-lock.json`, as its last step. So this
 * also knows of an installation that was broken off, and leaves alone one that the user made by hand.
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
 * `npm ci` would begin by removing all that is there, below a gateway that runs. Where this is killed, nobody
 * knows what is whole: the next one is `npm ci`.
 */
async function addTools(root, node) {
  const adding = join(root, 'node_modules', addingFile)
  writeFileSync(adding, '')
  const result = await runNpm(['install', '--include=dev', '--no-save'], { cwd: root, node })
  if (result.code === 0) rmSync(adding, { force: true })
  return result
}

/** For npm: these workspaces, and nothing of the root's own. */
export function only(workspaces) {
  return [...workspaces.map((path) => `--workspace=${path}`), '--include-workspace-root=false']
}
