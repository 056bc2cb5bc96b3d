import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { headScript } from './build/head-script.ts'

/** The gateway that `npx vite apps/dashboard` uses during development. */
const gateway = 'http://127.0.0.1:8787'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), headScript()],
  // The gateway puts a new nonce into each response: Mantine writes `style` elements.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2022',
    // Browsers with `light-dark()`; for older ones it would be rewritten into larger code.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The page's policy only allows `data:` URLs for images, and each file is cached forever anyway.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // A browser sends six requests at once over HTTP/1.1: files needed together become one.
        codeSplitting: {
          groups: [
            { name: 'shell', tags: ['$initial'] },
            { name: 'controls', minShareCount: 9 },
            // What is above a list of requests or a view of their cost.
            { name: 'filters', test: /\/filters\/(filter-fields|tags-field|range-filter|free-range-field)/ },
          ],
        },
      },
    },
    reportCompressedSize: false,
    // `testing/build.test.ts` limits what is loaded first; the largest chunk is that of the charts.
    chunkSizeWarningLimit: 1_000,
  },
  server: {
    proxy: Object.fromEntries(['/api', '/v1', '/oidc', '/sandbox-checkout'].map((path) => [path, gateway])),
  },
})
