import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runQuietly } from './child.js'
import { firstLines } from './text.js'
import { isWritable } from './writable.js'

/** Without a network, npm takes 70 seconds to fail with its own defaults. */
const retries = ['--fetch-retries=2', '--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=5000']

/**
 * Runs npm and collects its output: the npm that started us, else the one on the path, else the one next to
 * this Node. If npm's script is known, it runs on `node`, since npm skips optional packages (the tools'
 * binaries) that do not fit the Node it runs on.
 */
export function runNpm(args, { cwd, node }) {
  const quiet = [
    ...args,
    // It does not matter if this Node is too old for a package: another Node runs it.
    '--engine-strict=false',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--loglevel=error',
    ...retries,
    ...cacheFor(process.env),
  ]
  const script = npmScript()
  if (script !== undefined) return runQuietly(node, [script, ...quiet], { cwd, node })
  return runQuietly('npm', quiet, { cwd, node, shell: process.platform === 'win32' })
}

/**
 * In a container, a user often has no home, or the root folder as home. npm could not write its cache there,
 * and would blame a bug of an earlier npm. Then the cache goes into the checkout.
 */
export function cacheFor({ npm_config_cache: configuredFolder }) {
  let folder = configuredFolder ?? join(home(), '.npm')
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  if (isWritable(folder)) return []
  return [`--cache=${fileURLToPath(new URL('../.runtime/npm-cache', import.meta.url))}`]
}

/** Falls back to the root folder for a user whom this machine does not know. */
function home() {
  try {
    return homedir()
  } catch (error) {
    if (error.code === 'ERR_SYSTEM_ERROR') return '/'
    throw error
  }
}

/** npm's error output, with advice first if the cause is known. */
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
