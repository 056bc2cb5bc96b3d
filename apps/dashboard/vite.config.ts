import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { headScript } from './build/head-script.ts'

/** Where `npx vite apps/dashboard` finds the gateway while the dashboard is worked on. */
const gateway = 'http://127.0.0.1:8787'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), headScript()],
  // The gateway puts a new one into each answer: Mantine writes `style` elements.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2022',
    // Knows `light-dark()`, which would else be rewritten into something that needs more around it.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy of the page allows no `data:` but images, and each file is cached for ever anyway.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // A browser asks HTTP/1.1 for six files at once: what comes together is one file.
        codeSplitting: {
          groups: [
            { name: 'shell', tags: ['$initial'] },
            { name: 'controls', minShareCount: 9 },
            // What stands above a list of requests or of what they cost.
            { name: 'filters', test: /\/filters\/(filter-fields|tags-field|range-filter|free-range-field)/ },
          ],
        },
      },
    },
    reportCompressedSize: false,
    // `testing/build.test.ts` holds what is loaded at first; the largest chunk is that of the charts.
    chunkSizeWarningLimit: 1_000,
  },
  server: {
    proxy: Object.fromEntries(['/api', '/v1', '/oidc', '/sandbox-checkout'].map((path) => [path, gateway])),
  },
})
