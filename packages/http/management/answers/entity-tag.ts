import { createHash } from 'node:crypto'
import { organizationHeader } from '@turnpike/identity'
import type { ManagementApp } from '../management-app.ts'

/** Of the SHA-256 of an answer, 132 bits. */
const tagCharacters = 22

/** May be kept, by the caller itself, and must be asked about each time (RFC 9111, section 5.2.2.4). */
const revalidated = 'private, no-cache'

/**
 * Answers of polled operations carry an ETag; a caller that names it in `If-None-Match` is told 304,
 * without a body, as long as nothing changed (RFC 9110, section 13.1.2).
 *
 * @param cacheControl of these answers; by default they are the caller's own
 */
export function registerEntityTags(app: ManagementApp, cacheControl = revalidated): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { operation } = request.routeOptions.config
    if (operation?.polled !== true || reply.statusCode !== 200 || typeof payload !== 'string') return payload
    const hash = createHash('sha256').update(payload).digest('base64url')
    const tag = `"${hash.slice(0, tagCharacters)}"`
    // Weak: the same answer goes out packed in one way, in another, or as it is (RFC 9110, section 8.8.3).
    // Answers to users are for whom they act; a cache between them and us must not mix them.
    const vary = operation.surface === 'user' ? `accept-encoding, ${organizationHeader}` : 'accept-encoding'
    reply.headers({ etag: `W/${tag}`, 'cache-control': cacheControl, vary })
    if (!names(request.headers['if-none-match'], tag)) return payload
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    return null
  })
}

/** Tags are compared weakly: earlier versions gave them without `W/`. */
function names(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()))
}
