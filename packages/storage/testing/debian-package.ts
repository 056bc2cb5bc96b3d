import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const installTimeoutMs = 240_000

/** In a throw-away container (root on Debian) the tests bring their own servers. */
export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version')
}

/** @throws where the package cannot be had */
export function installPackage(name: string): void {
  const options = {
    stdio: 'ignore',
    timeout: installTimeoutMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const
  execFileSync('apt-get', ['update'], options)
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', name], options)
}
