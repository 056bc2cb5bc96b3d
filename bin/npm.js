import { existsSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { runQuietly } from './child.js'
import { firstLines } from './text.js'

/** Without a network npm's own take 70 seconds to say so. */
const retries = ['--fetch-retries=2', '--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=5000']

/**
 * Runs npm with its output kept: the npm that started us, else the one on the path, else the one beside
 * this Node. Where its script is known it runs on `node`, since npm leaves out optional packages
 * (the tools' binaries) that do not fit the Node it runs on.
 */
export function runNpm(args, { cwd, node }) {
  // A Node too old for a package matters to nobody here: another one runs it.
  const quiet = [
    ...args,
    '--engine-strict=false',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--loglevel=error',
    ...retries,
  ]
  const script = npmScript()
  if (script !== undefined) return runQuietly(node, [script, ...quiet], { cwd, node })
  return runQuietly('npm', quiet, { cwd, node, shell: process.platform === 'win32' })
}

/** What a failed npm said, with what to do about it first, where that is known. */
export function explainNpm(output) {
  const isOffline =
    /\b(EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b/.test(output)
  const advice =
    'The registry of npm cannot be reached, and the first start downloads from it. Connect to the network, ' +
    'or tell npm of a proxy (npm config set https-proxy …) or another registry (npm config set registry …).\n'
  return (isOffline ? advice : '') + firstLines(output)
}

function npmScript() {
  const besideNode = dirname(process.execPath)
  const candidates = [
    process.env.npm_execpath,
    ...onPath('npm'),
    join(besideNode, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(besideNode, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]
  for (const candidate of candidates) {
    if (!candidate || !existsSync(candidate)) continue
    const file = realpathSync(candidate)
    if (basename(file) === 'npm-cli.js') return file
  }
  return undefined
}

function onPath(command) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, command))
}
