import { createHash } from 'node:crypto'
import { html, Html, pageStyle } from '@turnpike/identity'
import type { FastifyReply } from 'fastify'

const ownStyle = `
h1 { margin-bottom: 1rem; }
.notice { padding: .7rem .85rem; border: 2px solid #b45309; border-radius: .4rem; }
.amount { font-size: 2rem; font-weight: 600; }
form { display: grid; gap: .75rem; margin-bottom: 1rem; }
.identifier { margin: 0; color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
`

const style = `${pageStyle}${ownStyle}`
const styleElement = new Html(`<style>${style}</style>`)
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
        <title>${title} · Turnpike</title>
        <link rel="icon" href="data:," />
        ${styleElement}
      </head>
      <body>
        <main>
          <p class="brand">Turnpike</p>
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
