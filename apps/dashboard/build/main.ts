import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { finish } from './finish.ts'

/*
 * Builds the dashboard into `dist/`: node apps/dashboard/build/main.ts <fingerprint of the sources>.
 * `npm start` and `npm run dashboard` run it if the sources have changed (bin/dashboard.js).
 */
const [fingerprint = ''] = process.argv.slice(2)
const staging = new URL(`../.building-${process.pid}/`, import.meta.url)
const configFile = new URL('../vite.config.ts', import.meta.url).pathname

// Vite takes NODE_ENV from the environment: a build started by tests would contain React's development
// build.
process.env['NODE_ENV'] = 'production'
const built = await build({
  configFile,
  // Node can read the configuration directly; bundling it first would write into node_modules.
  configLoader: 'native',
  logLevel: 'warn',
  build: { outDir: staging.pathname, emptyOutDir: true },
})
await finish(staging, new URL('../dist/', import.meta.url), fingerprint, packagesIn(built))

/** The folders of packages whose code is in the build, relative to the checkout: `node_modules/react`. */
function packagesIn(built: Awaited<ReturnType<typeof build>>): string[] {
  if ('on' in built) throw new Error('expected one build, not one that watches')
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const chunks = [built]
    .flat()
    .flatMap(({ output }) => output)
    .filter((file): file is Rolldown.OutputChunk => file.type === 'chunk')
  const folders = chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .flatMap((id) => /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1] ?? [])
  return [...new Set(folders.map((folder) => relative(root, folder).replaceAll('\\', '/')))].toSorted()
}
