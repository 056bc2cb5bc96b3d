import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundleInto } from '../apps/cli/packaging/bundle.ts'
import { bundleTurnpikeInto } from './bundle-turnpike.ts'

/*
 * Runs before `npm pack`, in the root and in apps/cli: node packaging/main.ts <name of the package>. Rebuilds
 * the contents of the package from the current sources.
 */

const root = join(import.meta.dirname, '..')
const packages: Record<string, { folder: string; make: (target: string) => Promise<unknown> }> = {
  turnpike: { folder: root, make: bundleTurnpikeInto },
  'turnpike-cli': { folder: join(root, 'apps/cli'), make: bundleInto },
}

const [name = ''] = process.argv.slice(2)
const build = packages[name]
if (build === undefined) throw new Error(`expected one of ${Object.keys(packages).join(', ')}`)
const target = join(build.folder, 'dist')
rmSync(target, { recursive: true, force: true })
await build.make(target)
