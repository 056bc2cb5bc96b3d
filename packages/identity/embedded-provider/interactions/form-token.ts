import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The token that a sign-in's forms must send back: another site can neither read nor forge it. `SameSite=Lax`
 * cookies alone would not protect browsers that do not support them.
 * @param secrets the cookie secrets, newest first
 */
export function formToken(secrets: readonly string[], uid: string): string {
  return tokenOf(secrets[0]!, uid)
}

export function isFormToken(secrets: readonly string[], uid: string, token: string): boolean {
  return secrets.some((secret) => {
    const expected = Buffer.from(tokenOf(secret, uid))
    const actual = Buffer.from(token)
    return expected.length === actual.length && timingSafeEqual(expected, actual)
  })
}

function tokenOf(secret: string, uid: string): string {
  return createHmac('sha256', secret).update(`form:${uid}`).digest('base64url')
}
