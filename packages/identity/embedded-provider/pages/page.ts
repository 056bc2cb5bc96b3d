import { providerPath } from '../addresses.ts'
import { htmlDocument } from './document.ts'
import { html, type Html } from './html.ts'

/** A page of the provider: whole, without JavaScript, and with nothing from elsewhere. */
export interface Page {
  status: number
  headers: Record<string, string>
  body: string
}

export interface PageContent {
  title: string
  body: Html
  status?: number
  /** Origins, or schemes as `app:`, that a form of this page may lead to, in the end, besides our own. */
  leadsTo?: readonly string[]
  headers?: Record<string, string>
}

export const stylePath = `${providerPath}/style.css`

export function page({ title, body, status = 200, leadsTo = [], headers }: PageContent): Page {
  const head = html`<link rel="stylesheet" href="${stylePath}" />`
  const document = htmlDocument({ title, head, body })
  return { status, headers: { ...pageHeaders(leadsTo), ...headers }, body: document }
}

/** `same-origin`: with `no-referrer`, browsers would not tell our own forms from those of others. */
function pageHeaders(leadsTo: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    // Browsers hold a form's redirects to this as well.
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
 * Where a form leads that ends at this address, as `form-action` wants it said: of a scheme that has no
 * origins, and of an address of IPv6, which that cannot spell (CSP, `host-char`), the scheme alone.
 */
export function originOf(address: string): string {
  const { origin, protocol, hostname } = new URL(address)
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin
}
