import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleInto } from '../apps/cli/packaging/bundle.ts'
import { between, licencesOf } from '../apps/cli/packaging/licences.ts'
import { bundleGatewayInto } from './bundle-gateway.ts'

const root = join(import.meta.dirname, '..')
const programs = join(import.meta.dirname, 'bin')

/**
 * Builds the contents of the package `turnpike`: the gateway with its dashboard, the command line, the
 * programs that start them, and the licences of all packages whose code is included.
 */
export async function bundleTurnpikeInto(target: string): Promise<void> {
  mkdirSync(target, { recursive: true })
  const ofGateway = await bundleGatewayInto(join(target, 'gateway'))
  await bundleInto(join(target, 'cli'))
  for (const name of readdirSync(programs)) copyFileSync(join(programs, name), join(target, name))
  const licences = { gateway: ofGateway, dashboard: licencesOfDashboard() }
  for (const [part, text] of Object.entries(licences))
    writeFileSync(join(target, `licences-of-${part}.txt`), text)
  // The package already has the project's licence.
  rmSync(join(target, 'cli/LICENSE'))
}

function licencesOfDashboard(): string {
  const folder = join(root, 'apps/dashboard')
  const manifest = JSON.parse(readFileSync(join(folder, 'dist/manifest.json'), 'utf8')) as {
    packages: string[]
  }
  const icons = readFileSync(join(folder, 'icons/LICENSE'), 'utf8').trim()
  const ofPackages = licencesOf(manifest.packages.map((path) => join(root, path)))
  return `Tabler Icons 3.51.0\n\n${icons}\n${between}${ofPackages}`
}
