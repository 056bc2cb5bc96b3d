import { createHash } from 'node:crypto'
import { html, Html } from '@turnpike/identity'
import type { FastifyReply } from 'fastify'

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 1.5rem; }
main { max-width: 26rem; margin: 0 auto; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0 0 1rem; }
.notice { border: 2px solid #b45309; border-radius: .5rem; padding: .75rem 1rem; }
.amount { font-size: 2rem; font-weight: 600; margin: 1rem 0; }
form { display: grid; gap: .75rem; margin: 1.5rem 0; }
button, a.button { font: inherit; padding: .75rem 1rem; border-radius: .5rem; border: 1px solid currentColor;
  background: none; color: inherit; cursor: pointer;
  text-align: center; text-decoration: none; display: block; }
button.first, a.first { background: #1d4ed8; border-color: #1d4ed8; color: #fff; }
:focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px; }
.quiet { opacity: .8; font-size: .9rem; overflow-wrap: anywhere; }
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** Nothing is loaded from anywhere, nothing runs, nobody frames the page, and its form goes nowhere else. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** Answers with a whole page, without JavaScript. Whoever has its address sees it: it is told to nobody. */
export function sendPage(reply: FastifyReply, status: number, title: string, body: Html): FastifyReply {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${new Html(style)}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `
  return reply
    .code(status)
    .headers({
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    })
    .type('text/html; charset=utf-8')
    .send(page.text)
}
