// Builds the dashboard if its sources have changed. A lock lets one build at a time write to its folder.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChild } from './child.js'
import { buildElsewhere } from './dashboard-elsewhere.js'
import { dashboardBuild, isDashboardCurrent } from './dashboard.js'
import { areInstalled } from './dependencies.js'
import { withLock } from './lock.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

await withLock(
  join(root, '.runtime', 'dashboard.lock'),
  async () => {
    if (isDashboardCurrent(root)) return
    if (areInstalled(root, true))
      process.exitCode = await runChild(process.execPath, dashboardBuild(root), { cwd: root, serves: false })
    else await buildElsewhere(root)
  },
  () => process.stderr.write('turnpike: waiting for a build of the dashboard …\n'),
).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
