// Builds the bundle that `npm start` runs, if the sources have changed. A lock allows one build at a time.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runQuietly } from './child.js'
import { isAlive, withLock } from './lock.js'
import { currentBundle, currentFile, stampsOf } from './server-program.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bundles = join(root, '.cache', 'server')

await withLock(join(root, '.runtime', 'server.lock'), build, () =>
  process.stderr.write('turnpike: waiting for another build of the gateway …\n'),
).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})

async function build() {
  if (currentBundle(root) !== undefined) return
  const startedMs = Date.now()
  const name = `${startedMs.toString(36)}-${process.pid}`
  const target = join(bundles, name)
  mkdirSync(target, { recursive: true })
  const { code, output } = await runQuietly(
    process.execPath,
    [join(root, 'packaging', 'checkout.ts'), target],
    { cwd: root, node: process.execPath },
  )
  const files = code === 0 ? stampsOf(root, JSON.parse(output)) : undefined
  const isWhole = files !== undefined && Object.values(files).every(([, changedMs]) => changedMs < startedMs)
  if (!isWhole) {
    rmSync(target, { recursive: true, force: true })
    throw new Error(code === 0 ? 'the sources changed while they were bundled' : output)
  }
  // Written to a new file and renamed, so that a starting gateway reads either the old file or the new one.
  writeFileSync(`${currentFile(root)}.new`, JSON.stringify({ name, root, files }))
  renameSync(`${currentFile(root)}.new`, currentFile(root))
  removeOthers(name)
}

/** Removes the other bundles, except those that a running gateway uses. */
function removeOthers(name) {
  for (const entry of readdirSync(bundles, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === name) continue
    const folder = join(bundles, entry.name)
    const users = readdirSync(folder).map((file) => Number(/^used-by-(\d+)$/.exec(file)?.[1]))
    if (!users.some((pid) => pid > 0 && isAlive(pid))) rmSync(folder, { recursive: true, force: true })
  }
}
