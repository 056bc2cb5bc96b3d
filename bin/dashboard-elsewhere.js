import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runQuietly } from './child.js'
import { dashboardFingerprint, isOfBuild } from './dashboard.js'
import { only } from './dependencies.js'
import { workspacesOf } from './lock-file.js'
import { explainNpm, runNpm } from './npm.js'
import { firstLines } from './text.js'

/**
 * Builds the dashboard in a separate folder and keeps only the build. Its packages take more space than
 * everything that the gateway needs to run, and are needed only once.
 */
export async function buildElsewhere(root) {
  const home = join(root, '.runtime')
  for (const name of readdirSync(home).filter((one) => one.startsWith('dashboard-')))
    if (name !== 'dashboard.lock') rmSync(join(home, name), { recursive: true, force: true })
  const folder = join(home, `dashboard-${process.pid}`)
  try {
    layOut(root, folder)
    const options = { cwd: folder, node: process.execPath }
    const installed = await runNpm(['ci', '--omit=dev', ...only(['apps/dashboard'])], options)
    if (installed.code !== 0) throw new Error(explainNpm(installed.output))
    const script = join(folder, 'apps', 'dashboard', 'build', 'main.ts')
    const built = await runQuietly(process.execPath, [script, dashboardFingerprint(root)], options)
    if (built.code !== 0) throw new Error(firstLines(built.output))
    const target = join(root, 'apps', 'dashboard', 'dist')
    rmSync(target, { recursive: true, force: true })
    renameSync(join(folder, 'apps', 'dashboard', 'dist'), target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Copies the dashboard's sources, and the files of other workspaces that npm needs. */
function layOut(root, folder) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const manifests = workspacesOf(lock).map((path) => join(path, 'package.json'))
  for (const path of ['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json', ...manifests]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
  const sources = join('apps', 'dashboard')
  cpSync(join(root, sources), join(folder, sources), { recursive: true, filter: isOfBuild })
}
