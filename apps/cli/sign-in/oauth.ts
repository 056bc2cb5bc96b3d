import { exitCodes, Failure, type ExitCode } from '../failure.ts'
import type { Network } from '../network/network.ts'

/** The response of an OAuth endpoint: the result, or an error (RFC 6749, section 5). */
export type OAuthAnswer = Record<string, unknown> & { error?: string; error_description?: string }

/**
 * Posts a form.
 * @returns the response, including errors
 * @throws {Failure} exit code 2 if there was no response, 3 if it is not an OAuth response
 */
export async function postForm(
  network: Network,
  url: string,
  form: Record<string, string | undefined>,
): Promise<OAuthAnswer> {
  const fields = Object.entries(form).filter((field): field is [string, string] => field[1] !== undefined)
  const answer = await network.send({
    method: 'POST',
    url,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
  const body = objectOf(await answer.text())
  if (body !== undefined && (typeof body.error === 'string' || (answer.ok && body.error === undefined)))
    return body
  throw new Failure(`${new URL(url).host} returned status ${answer.status} without an OAuth error.`, {
    type: 'device_flow_error',
    exitCode: exitCodes.server,
    status: answer.status,
  })
}

function objectOf(text: string): OAuthAnswer | undefined {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? (value as OAuthAnswer) : undefined
  } catch {
    // An empty body, as for a revocation; or an invalid one, which the caller reports.
    return text.trim() === '' ? {} : undefined
  }
}

/** An issuer's error, in its own words. */
export function oauthFailure(answer: OAuthAnswer, message: string, exitCode: ExitCode): Failure {
  const description = answer.error_description ?? answer.error
  return new Failure(description === undefined ? message : `${message} (${description})`, {
    type: exitCode === exitCodes.user ? 'authentication_error' : 'device_flow_error',
    exitCode,
  })
}

export interface Tokens {
  accessToken: string
  refreshToken: string | undefined
  /** Unix epoch seconds; undefined if the issuer does not say. */
  expiresAt: number | undefined
}

/** @throws {Failure} if the response contains no tokens */
export function tokensOf(answer: OAuthAnswer, nowMs: number): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = answer
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) {
    throw oauthFailure(answer, 'The issuer did not return an access token.', exitCodes.server)
  }
  const lifetime = Number(expiresIn)
  return {
    accessToken,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined,
    expiresAt: lifetime > 0 ? Math.floor(nowMs / 1000 + lifetime) : undefined,
  }
}
