import type { IncomingMessage, ServerResponse } from 'node:http'
import { providerPath } from './addresses.ts'
import type { Page } from './pages/page.ts'

/** Forms hold a handful of short fields. */
const maxFormBytes = 16 * 1024

/** The body was not a form, or was too large. */
export class BadForm extends Error {
  override readonly name = 'BadForm'
}

/**
 * Makes the request appear to come to the public address, from the caller's address: whatever `Host` and
 * `X-Forwarded-…` a client has sent, it cannot make a link or cookie point elsewhere.
 */
export function pinToPublicAddress(request: IncomingMessage, publicUrl: string, callerAddress: string): void {
  const { host, protocol } = new URL(publicUrl)
  delete request.headers['forwarded']
  Object.assign(request.headers, {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': callerAddress,
  })
}

/** Removes the provider's path from the URL: `oidc-provider` expects its own routes at the root. */
export function stripProviderPath(request: IncomingMessage): void {
  const originalUrl = request.url ?? '/'
  const url = originalUrl.slice(providerPath.length)
  Object.assign(request, { originalUrl, url: url.startsWith('/') ? url : `/${url}` })
}

/** @throws {BadForm} */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) throw new BadForm('expected a form')
  return new URLSearchParams((await readBody(request)).toString('utf8'))
}

/** @throws {BadForm} */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxFormBytes) throw new BadForm(`expected at most ${maxFormBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, bytes)
}

export function sendPage(response: ServerResponse, { status, headers, body }: Page): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
