/**
 * The policy of the dashboard's pages: nothing from other origins, no inline script, no framing. Styles need
 * the nonce, since Mantine writes `style` elements.
 *
 * @param connectOrigins other origins that the page may send requests to: the identity provider's
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

/** Headers of every file and page of the dashboard. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
}
