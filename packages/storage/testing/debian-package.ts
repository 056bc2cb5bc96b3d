import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const installTimeoutMs = 240_000

/**
 * What `find` finds, if need be once the package is there; undefined where it cannot be had, which is said.
 * @param program what the package is called by those who read the output
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

/** In a throw-away container (root on Debian) the tests bring their own servers. */
function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version')
}

/** @throws where the package cannot be had */
function installPackage(name: string): void {
  const options = {
    stdio: 'ignore',
    timeout: installTimeoutMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const
  execFileSync('apt-get', ['update'], options)
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', name], options)
}
