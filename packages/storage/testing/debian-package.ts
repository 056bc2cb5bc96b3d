import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const installTimeoutMs = 240_000

/**
 * Returns what `find` finds, if necessary after installing the package. Undefined, with a message, if it
 * cannot be installed.
 * @param program the name of the program in messages
 */
export function findOrInstall(
  find: () => string | undefined,
  program: string,
  packageName: string,
): string | undefined {
  const found = find()
  if (found !== undefined || !canInstallPackages()) return found
  process.stderr.write(`Installing ${program} for the tests (apt-get install ${packageName}) …\n`)
  try {
    installPackage(packageName)
  } catch (error) {
    process.stderr.write(`${program} could not be installed: ${String(error)}\n`)
  }
  return find()
}

/** In a disposable container (root on Debian) the tests install their own servers. */
function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version')
}

/** @throws if the package cannot be installed */
function installPackage(name: string): void {
  const options = {
    stdio: 'ignore',
    timeout: installTimeoutMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const
  execFileSync('apt-get', ['update'], options)
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', name], options)
}
