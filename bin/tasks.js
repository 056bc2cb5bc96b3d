import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDashboardCurrent } from './dashboard.js'
import { nodeArguments, serverProgram } from './server-program.js'

/**
 * The steps of each task, with the Node that was found. A step with a title is announced, and the steps after
 * it run even if it fails.
 * @typedef {{ title?: string, arguments: string[], cwd?: string }} Step
 * @type {Record<string, (root: string, args: string[]) => Step[]>}
 */
export const tasks = {
  start: (root, args) => [
    // The server runs in the caller's folder, so that it finds `turnpike.yaml` and `.turnpike` there.
    { arguments: [...nodeArguments, serverProgram(root), ...args], cwd: process.cwd() },
  ],
  // The command line, run in the caller's folder. `doctor` belongs to the server, which it checks.
  turnpike: (root, args) => [
    args[0] === 'doctor'
      ? { arguments: [join(root, 'apps', 'server', 'main.js'), ...args], cwd: process.cwd() }
      : { arguments: [join(root, 'apps', 'cli', 'main.ts'), ...args], cwd: process.cwd() },
  ],
  test: (root, args) => [{ arguments: [tool(root, 'vitest'), 'run', ...args] }],
  check: (root) => [
    {
      title: 'types (tsc --build)',
      // The dashboard's types are those of a browser, which the rest must not see.
      arguments: [tool(root, 'typescript', 'tsc'), '--build', '.', join('apps', 'dashboard')],
    },
    { title: 'lint (oxlint)', arguments: [tool(root, 'oxlint'), '--deny-warnings'] },
    { title: 'format (oxfmt --check)', arguments: [tool(root, 'oxfmt'), '--check'] },
    { title: 'dead code (knip)', arguments: [tool(root, 'knip')] },
  ],
  dashboard: (root) =>
    isDashboardCurrent(root) ? [] : [{ arguments: [join(root, 'bin', 'build-dashboard.js')] }],
  // What `npm pack` packs: from the root, the gateway with its dashboard; from apps/cli, the command line.
  bundle: (root, args) => [
    ...(args[0] === 'turnpike' ? tasks.dashboard(root) : []),
    { arguments: [join(root, 'packaging', 'main.ts'), ...args] },
  ],
  bench: (root, args) => [{ arguments: [join(root, 'bench', 'main.ts'), ...args] }],
  // Redraws the pictures of docs/images in Chromium.
  pictures: (root) => [{ arguments: [join(root, 'apps', 'dashboard', 'testing', 'pictures.ts')] }],
  torture: (root, args) => [{ arguments: [join(root, 'tests', 'torture', 'main.ts'), ...args] }],
  // The published agents, which are too large to download for every test run.
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
