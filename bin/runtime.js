import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.js'
import { explainNpm, runNpm } from './npm.js'
import { seconds } from './text.js'
import { requireWritable } from './writable.js'

/** From this version on, Node runs TypeScript directly and has `node:sqlite` without a flag. */
const oldestMajor = 24

const lockFile = fileURLToPath(new URL('./runtime/package-lock.json', import.meta.url))

export function isNewEnough(version) {
  return Number(version.split('.')[0]) >= oldestMajor
}

/**
 * The pinned Node's binary below `.runtime/`, which the first call installs. It is a package of plain files
 * whose integrity npm checks against `bin/runtime/package-lock.json`.
 * @returns {Promise<string>} path of the binary
 */
export async function bringRuntime(root) {
  const pinned = findPinned(JSON.parse(readFileSync(lockFile, 'utf8')), platformOfThisMachine())
  if (pinned === undefined) throw new Error(adviceFor(`${process.platform}-${process.arch}`))
  const home = join(root, '.runtime')
  const folder = join(home, `${pinned.name}-${pinned.version}`)
  const binary = join(folder, 'node_modules', pinned.name, ...pinned.binary.split('/'))
  if (existsSync(binary)) return binary
  requireWritable(root, `Node ${pinned.version} is brought into it, as this one is older than ${oldestMajor}`)
  await withLock(
    join(home, 'runtime.lock'),
    async () => {
      if (!existsSync(binary)) await install(home, folder, pinned)
    },
    () => process.stderr.write(`turnpike: waiting for a start that is bringing Node ${pinned.version} …\n`),
  )
  return binary
}

function platformOfThisMachine() {
  // The Linux packages are built for glibc; systems without it (Alpine) cannot run them.
  if (process.platform === 'linux' && process.report !== undefined) {
    process.report.excludeNetwork = true
    if (process.report.getReport().header.glibcVersionRuntime === undefined)
      return { os: 'linux-musl', cpu: process.arch }
  }
  return { os: process.platform, cpu: process.arch }
}

/** The entry of the lock file that fits a platform. */
export function findPinned(lock, { os, cpu }) {
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '' || ![entry.os].flat().includes(os) || ![entry.cpu].flat().includes(cpu)) continue
    return { name: path.slice('node_modules/'.length), version: entry.version, binary: entry.bin.node, entry }
  }
  return undefined
}

function adviceFor(platform) {
  return (
    `this needs Node ${oldestMajor} or newer; here is ${process.versions.node}, and no package of a newer ` +
    `one for ${platform} is known: please install Node ${oldestMajor} or newer from https://nodejs.org`
  )
}

async function install(home, folder, pinned) {
  process.stderr.write(
    `turnpike: Node ${process.versions.node} is older than ${oldestMajor}; ` +
      `bringing Node ${pinned.version} into .runtime (once, about 60 MB) …\n`,
  )
  const startedMs = Date.now()
  clear(home, (name) => name.startsWith('installing-'))
  // Installed elsewhere and renamed as the last step, so that an interruption leaves nothing half done.
  const staging = join(home, `installing-${process.pid}`)
  mkdirSync(staging, { recursive: true })
  writeManifests(staging, pinned)
  const { code, output } = await runNpm(['ci', '--ignore-scripts', '--include=prod', `--prefix=${staging}`], {
    cwd: staging,
    node: process.execPath,
  })
  const binary = join(staging, 'node_modules', pinned.name, ...pinned.binary.split('/'))
  const problem = code === 0 ? problemOf(binary, pinned.version) : explainNpm(output)
  if (problem !== undefined) {
    rmSync(staging, { recursive: true, force: true })
    throw new Error(
      `Node ${pinned.version} could not be installed; where this does not pass, install Node ` +
        `${oldestMajor} or newer yourself.\n${problem}`,
    )
  }
  // Only for building C++ extensions, and a third of the package.
  rmSync(join(staging, 'node_modules', pinned.name, 'include'), { recursive: true, force: true })
  renameSync(staging, folder)
  clear(home, (name) => /^(node|installing)-/.test(name) && join(home, name) !== folder)
  process.stderr.write(`turnpike: Node ${pinned.version} is there (${seconds(startedMs)})\n`)
}

/** Writes our lock file with only this package, no longer optional, so that npm reports a failure. */
function writeManifests(staging, { name, version, entry }) {
  const manifest = { name: 'turnpike-runtime', version, private: true, dependencies: { [name]: version } }
  const { optional: _, ...required } = entry
  const lock = {
    name: manifest.name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': manifest, [`node_modules/${name}`]: required },
  }
  writeFileSync(join(staging, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(staging, 'package-lock.json'), JSON.stringify(lock))
}

function problemOf(binary, version) {
  try {
    const found = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim()
    return found === `v${version}` ? undefined : `It says that it is ${found}.`
  } catch (error) {
    return `It does not run on this machine: ${error.message}`
  }
}

/** Best effort: on Windows, the files of a running Node cannot be removed. */
function clear(home, condition) {
  for (const name of readdirSync(home).filter(condition)) {
    try {
      rmSync(join(home, name), { recursive: true, force: true })
    } catch (error) {
      process.stderr.write(`turnpike: .runtime/${name} could not be removed: ${error.message}\n`)
    }
  }
}
