import { createHash } from 'node:crypto'
import { pageStyle } from '@turnpike/identity'

/** The page reloads itself after this time; a build takes a few seconds. */
export const retrySeconds = 3

/** Shown until the dashboard is built. The API works without it. */
export const missingPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <meta http-equiv="refresh" content="${retrySeconds}" />
    <title>Turnpike</title>
    <link rel="icon" href="data:," />
    <style>${pageStyle}</style>
  </head>
  <body>
    <main>
      <p class="brand">Turnpike</p>
      <h1>The dashboard is being built</h1>
      <p>This takes a few seconds on first start. This page refreshes by itself.</p>
      <p class="hint">The API is available. If this page stays, run <code>npm run dashboard</code>.</p>
    </main>
  </body>
</html>
`

export const missingPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`,
  'img-src data:',
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')
