import { build } from 'vite'
import { finish } from './finish.ts'

/*
 * Builds the dashboard into `dist/`: node apps/dashboard/build/main.ts <fingerprint of the sources>.
 * `npm start` and `npm run dashboard` run it where the sources have changed (bin/dashboard.js).
 */
const [fingerprint = ''] = process.argv.slice(2)
const staging = new URL(`../.building-${process.pid}/`, import.meta.url)
const configFile = new URL('../vite.config.ts', import.meta.url).pathname

// Vite takes over what it finds: a build that tests ask for would have React's own development build in it.
process.env['NODE_ENV'] = 'production'
await build({
  configFile,
  // Node reads the configuration as it is; bundling it first would write into node_modules.
  configLoader: 'native',
  logLevel: 'warn',
  build: { outDir: staging.pathname, emptyOutDir: true },
})
await finish(staging, new URL('../dist/', import.meta.url), fingerprint)
