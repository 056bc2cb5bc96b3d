import { providerPath } from '../addresses.ts'
import { htmlDocument } from './document.ts'
import { html, type Html } from './html.ts'

/** A page of the provider: self-contained, without JavaScript. */
export interface Page {
  status: number
  headers: Record<string, string>
  body: string
}

export interface PageContent {
  title: string
  body: Html
  status?: number
  /** Origins, or schemes such as `app:`, besides our own, that a form of this page may redirect to. */
  leadsTo?: readonly string[]
  headers?: Record<string, string>
}

export const stylePath = `${providerPath}/style.css`

export function page({ title, body, status = 200, leadsTo = [], headers }: PageContent): Page {
  const head = html`<link rel="stylesheet" href="${stylePath}" />`
  const document = htmlDocument({ title, head, body })
  return { status, headers: { ...pageHeaders(leadsTo), ...headers }, body: document }
}

/** `same-origin`: with `no-referrer`, our own forms would look like those of other sites. */
function pageHeaders(leadsTo: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    // Browsers apply this to a form's redirects too.
    ["form-action 'self'", ...leadsTo].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  }
}

/**
 * The `form-action` source for a form that redirects to this address. For a scheme without origins, and for
 * an IPv6 address, which `form-action` cannot express (CSP, `host-char`), it is only the scheme.
 */
export function originOf(address: string): string {
  const { origin, protocol, hostname } = new URL(address)
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin
}
