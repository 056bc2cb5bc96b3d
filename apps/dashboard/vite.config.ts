import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Where `npx vite apps/dashboard` finds the gateway while the dashboard is worked on. */
const gateway = 'http://127.0.0.1:8787'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), colorSchemeBeforePaint()],
  // The gateway puts a new one into each answer: Mantine writes `style` elements.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2022',
    // Knows `light-dark()`, which would else be rewritten into something that needs more around it.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy of the page allows no `data:` but images, and each file is cached for ever anyway.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // `testing/build.test.ts` holds what is loaded at first; the largest chunk is that of the charts.
    chunkSizeWarningLimit: 1_000,
  },
  server: {
    proxy: Object.fromEntries(['/api', '/v1', '/oidc', '/sandbox-checkout'].map((path) => [path, gateway])),
  },
})

/**
 * A script that blocks the first paint, so that who has chosen dark is not shown white first. The policy
 * forbids inline scripts, and Vite leaves scripts that are no modules as they are: so it is a file of its
 * own.
 */
function colorSchemeBeforePaint(): Plugin {
  const source = readFileSync(new URL('theme/color-scheme.js', import.meta.url), 'utf8')
  return {
    name: 'color-scheme-before-paint',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const file = Object.keys(bundle ?? {}).find((name) => /color-scheme.*\.js$/.test(name))
        if (file === undefined) throw new Error('the script of the color scheme is not in the bundle')
        return [{ tag: 'script', attrs: { src: `/${file}` }, injectTo: 'head-prepend' }]
      },
    },
    buildStart() {
      this.emitFile({ type: 'asset', name: 'color-scheme.js', source })
    },
  }
}
