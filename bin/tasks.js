import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDashboardCurrent } from './dashboard.js'
import { serverProgram } from './server-program.js'

/**
 * What each task runs, in turn, with the Node that was found. A step with a title is announced, and
 * the ones after it run even where it fails.
 *
 * @typedef {{ title?: string, arguments: string[], cwd?: string }} Step
 * @type {Record<string, (root: string, args: string[]) => Step[]>}
 */
export const tasks = {
  start: (root, args) => [
    // The server works where the caller stands, so that `turnpike.yaml` and `.turnpike` are found there.
    { arguments: [serverProgram(root), ...args], cwd: process.cwd() },
  ],
  // The command line, from where the caller stands. The doctor is the server's: it looks at what that needs.
  turnpike: (root, args) => [
    args[0] === 'doctor'
      ? { arguments: [join(root, 'apps', 'server', 'main.js'), ...args], cwd: process.cwd() }
      : { arguments: [join(root, 'apps', 'cli', 'main.ts'), ...args], cwd: process.cwd() },
  ],
  test: (root, args) => [{ arguments: [tool(root, 'vitest'), 'run', ...args] }],
  check: (root) => [
    {
      title: 'types (tsc --build)',
      // The dashboard's types are of browsers, which the rest must not know of.
      arguments: [tool(root, 'typescript', 'tsc'), '--build', '.', join('apps', 'dashboard')],
    },
    { title: 'lint (oxlint)', arguments: [tool(root, 'oxlint'), '--deny-warnings'] },
    { title: 'format (oxfmt --check)', arguments: [tool(root, 'oxfmt'), '--check'] },
    { title: 'dead code (knip)', arguments: [tool(root, 'knip')] },
  ],
  dashboard: (root) =>
    isDashboardCurrent(root) ? [] : [{ arguments: [join(root, 'bin', 'build-dashboard.js')] }],
  // What `npm pack` packs: of the root the gateway with its dashboard, of apps/cli the command line.
  bundle: (root, args) => [
    ...(args[0] === 'turnpike' ? tasks.dashboard(root) : []),
    { arguments: [join(root, 'packaging', 'main.ts'), ...args] },
  ],
  bench: (root, args) => [{ arguments: [join(root, 'bench', 'main.ts'), ...args] }],
  // The pictures of docs/images, drawn anew in Chromium.
  pictures: (root) => [{ arguments: [join(root, 'apps', 'dashboard', 'testing', 'pictures.ts')] }],
  torture: (root, args) => [{ arguments: [join(root, 'tests', 'torture', 'main.ts'), ...args] }],
  // Agents as their makers ship them, which is too much to download for every test run.
  agents: (root, args) => [
    { arguments: [join(root, 'tests', 'conformance', 'agents', 'install.ts')] },
    { arguments: [tool(root, 'vitest'), 'run', join('tests', 'conformance', 'agents'), ...args] },
  ],
  train: (root, args) => [
    { arguments: [join(root, 'tools', 'routing', 'training', 'main.ts'), ...args], cwd: process.cwd() },
  ],
  'eval:routing': (root, args) => [
    { arguments: [join(root, 'tools', 'routing', 'evaluation', 'main.ts'), ...args], cwd: process.cwd() },
  ],
  format: (root, args) => [{ arguments: [tool(root, 'oxfmt'), ...args] }],
}

/** The script behind a package's command, from its own package.json. */
function tool(root, packageName, command = packageName) {
  const folder = join(root, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[command])
}
