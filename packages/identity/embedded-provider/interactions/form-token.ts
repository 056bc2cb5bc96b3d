import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The token that a sign-in's forms must bring back: another site can neither read it nor make one. Cookies
 * with `SameSite=Lax` alone would not do for browsers that do not know it.
 * @param secrets of cookies, the newest first
 */
export function formToken(secrets: readonly string[], uid: string): string {
  return tokenOf(secrets[0]!, uid)
}

export function isFormToken(secrets: readonly string[], uid: string, given: string): boolean {
  return secrets.some((secret) => {
    const expected = Buffer.from(tokenOf(secret, uid))
    const actual = Buffer.from(given)
    return expected.length === actual.length && timingSafeEqual(expected, actual)
  })
}

function tokenOf(secret: string, uid: string): string {
  return createHmac('sha256', secret).update(`form:${uid}`).digest('base64url')
}
