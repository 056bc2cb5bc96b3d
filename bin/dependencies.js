import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.js'
import { explainNpm, runNpm } from './npm.js'
import { seconds } from './text.js'
import { requireWritable } from './writable.js'

/** Runs `npm ci` where `node_modules` is missing, was left half done, or is not what the lock file says. */
export async function bringDependencies(root, node, { withDevelopment }) {
  if (areInstalled(root, withDevelopment)) return
  requireWritable(root, 'the dependencies are installed in it')
  await withLock(
    join(root, '.runtime', 'dependencies.lock'),
    async () => {
      if (!areInstalled(root, withDevelopment)) await install(root, node)
    },
    () => process.stderr.write('turnpike: waiting for a start that is installing the dependencies …\n'),
  )
}

/**
 * npm writes down what it has installed in `node_modules/.package-lock.json`, as its last step. So this
 * also knows of an installation that was broken off, and leaves alone one that the user made by hand.
 */
export function areInstalled(root, withDevelopment) {
  const installedFile = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile)) return false
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  let installed
  try {
    installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  } catch {
    return false
  }
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true
    const found = installed[path]
    if (found !== undefined) return found.version === entry.version && found.integrity === entry.integrity
    return Boolean(entry.optional || entry.devOptional || (entry.dev && !withDevelopment))
  })
}

async function install(root, node) {
  process.stderr.write('turnpike: installing the dependencies (npm ci) …\n')
  const startedMs = Date.now()
  const { code, output } = await runNpm(['ci', '--include=dev'], { cwd: root, node })
  if (code !== 0) throw new Error(`npm ci failed (exit code ${code})\n${explainNpm(output)}`)
  process.stderr.write(`turnpike: dependencies are there (${seconds(startedMs)})\n`)
}
