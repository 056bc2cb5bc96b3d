/**
 * The policy of the dashboard's pages: nothing from elsewhere, no inline script, no frame around it. Styles
 * need the nonce, since Mantine writes `style` elements.
 *
 * @param connectOrigins where the page may send requests besides the gateway: the identity provider
 */
export function contentSecurityPolicy(nonce: string, connectOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...connectOrigins].join(' '),
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/** What every file and page of it carries. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
}
