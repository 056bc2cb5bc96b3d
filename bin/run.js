// `npm start`, `npm test` and the other scripts begin here, on whatever Node the machine has (18 or newer).
// This finds or downloads a Node that runs TypeScript directly, installs missing or outdated dependencies,
// and runs the task. If the machine has both, it prints and does nothing of its own.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChild } from './child.js'
import { buildDashboardBeside } from './dashboard.js'
import { bringDependencies } from './dependencies.js'
import { bringRuntime, isNewEnough } from './runtime.js'
import { buildServerBeside } from './server-program.js'
import { tasks } from './tasks.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

async function main() {
  const [name = 'start', ...args] = process.argv.slice(2)
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined
  if (task === undefined) {
    process.stderr.write(`turnpike: no task "${name}"; there are ${Object.keys(tasks).join(', ')}\n`)
    return 2
  }
  const node = await prepare(name)
  if (name === 'start') buildDashboardBeside(root, node)
  if (name === 'start') buildServerBeside(root, node)
  let exitCode = 0
  for (const step of task(root, args)) {
    if (step.title !== undefined) process.stderr.write(`\n── ${step.title}\n`)
    const code = await runChild(node, step.arguments, { cwd: step.cwd ?? root, serves: name === 'start' })
    if (code !== 0 && step.title !== undefined) process.stderr.write(`── ${step.title}: failed\n`)
    exitCode ||= code
    // Steps with a title are independent; any other step needs the one before it.
    if (code !== 0 && step.title === undefined) break
  }
  return exitCode
}

/** @returns the Node to run the task with */
async function prepare(name) {
  const isOld = !isNewEnough(process.versions.node)
  if (!['start', 'turnpike'].includes(name)) {
    const node = isOld ? await bringRuntime(root) : process.execPath
    await bringDependencies(root, node, { everything: true })
    return node
  }
  // npm may install during the download of the newer Node: no package depends on the version of Node.
  const [brought, installed] = await Promise.allSettled([
    isOld ? bringRuntime(root) : process.execPath,
    bringDependencies(root, process.execPath, { everything: false }),
  ])
  for (const { reason } of [brought, installed]) if (reason !== undefined) throw reason
  return brought.value
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`turnpike: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
