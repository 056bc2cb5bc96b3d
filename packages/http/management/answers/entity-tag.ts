import { createHash } from 'node:crypto'
import { organizationHeader } from '@turnpike/identity'
import type { ManagementApp } from '../management-app.ts'

/** The first characters of a response's SHA-256: 132 bits. */
const tagCharacters = 22

/** The caller may store the response, but must revalidate it each time (RFC 9111, section 5.2.2.4). */
const revalidated = 'private, no-cache'

/**
 * Adds an ETag to responses of polled operations. A caller that sends it in `If-None-Match` gets 304 without
 * a body as long as nothing changed (RFC 9110, section 13.1.2).
 *
 * @param cacheControl for these responses; by default only the caller may store them
 */
export function registerEntityTags(app: ManagementApp, cacheControl = revalidated): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { operation } = request.routeOptions.config
    if (operation?.polled !== true || reply.statusCode !== 200 || typeof payload !== 'string') return payload
    const hash = createHash('sha256').update(payload).digest('base64url')
    const tag = `"${hash.slice(0, tagCharacters)}"`
    // Weak, since the same response is sent in different encodings (RFC 9110, section 8.8.3). A response to a
    // user depends on the account they act for, which caches in between must not mix up.
    const vary = operation.surface === 'user' ? `accept-encoding, ${organizationHeader}` : 'accept-encoding'
    reply.headers({ etag: `W/${tag}`, 'cache-control': cacheControl, vary })
    if (!names(request.headers['if-none-match'], tag)) return payload
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    return null
  })
}

/** Compares weakly: earlier versions sent tags without `W/`. */
function names(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()))
}
