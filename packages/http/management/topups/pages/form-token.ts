import { randomBytes, timingSafeEqual } from 'node:crypto'
import { GatewayError } from '@turnpike/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'

/*
 * A form is accepted only from our own page in the same browser: the value of its hidden field must also be
 * in a cookie. Another site can submit the form, but it can neither read the cookie nor have it sent along,
 * since it is `SameSite=Strict`. No node needs to store anything for this.
 */

const cookieName = 'turnpike_checkout'
const tokenPattern = /^[A-Za-z0-9_-]{32}$/
const tokenBytes = 24

/** The browser's token; a browser without one gets a new one. */
export function formToken(request: FastifyRequest, reply: FastifyReply, path: string): string {
  const known = cookieOf(request)
  if (known !== undefined) return known
  const token = randomBytes(tokenBytes).toString('base64url')
  reply.header('set-cookie', `${cookieName}=${token}; Path=${path}; HttpOnly; SameSite=Strict`)
  return token
}

/** @throws {GatewayError} 403 if the form is not from our page in this browser */
export function checkFormToken(request: FastifyRequest, token: string | null): void {
  const expected = cookieOf(request)
  const site = request.headers['sec-fetch-site']
  const isElsewhere = site !== undefined && site !== 'same-origin'
  if (!isElsewhere && expected !== undefined && token !== null && isSame(expected, token)) return
  throw new GatewayError(
    'permission_error',
    'This form was not sent from its own page. Reload the page and try again.',
  )
}

function isSame(expected: string, token: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(token)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function cookieOf(request: FastifyRequest): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === cookieName && value !== undefined && tokenPattern.test(value)) return value
  }
  return undefined
}
