import { createHash } from 'node:crypto'
import { Html, htmlDocument, pageStyle } from '@turnpike/identity'
import type { FastifyReply } from 'fastify'

const ownStyle = `
h1 { margin-bottom: 1rem; }
.notice { padding: .7rem .85rem; border: 2px solid #b45309; border-radius: .4rem; }
.amount { font-size: 2rem; font-weight: 600; }
form { display: grid; gap: .75rem; margin-bottom: 1rem; }
.identifier { margin: 0; color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
`

const style = `${pageStyle}${ownStyle}`
const head = new Html(`<meta name="robots" content="noindex" /><style>${style}</style>`)
const styleHash = createHash('sha256').update(style).digest('base64')

/** Nothing is loaded, no script runs, nobody can frame the page, and its form can go nowhere else. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/**
 * Sends a whole page, without JavaScript. Anybody who has its address can see it, so other sites must not
 * get the address as a referrer.
 */
export function sendPage(reply: FastifyReply, status: number, title: string, body: Html): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    })
    .type('text/html; charset=utf-8')
    .send(htmlDocument({ title, head, body }))
}
