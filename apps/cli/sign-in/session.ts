import { join } from 'node:path'
import type { Context } from '../context.ts'
import { exitCodes, Failure } from '../failure.ts'
import { readCredentials, serversOf, writeCredentials, type Credentials } from '../files/credentials.ts'
import { withLock } from '../files/lock.ts'
import { oauthFailure, postForm, tokensOf } from './oauth.ts'

/** A token that could expire in transit is replaced first. */
const marginSeconds = 30

/** Only one process at a time changes the credentials. */
export function withCredentialsLock<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
  return withLock(join(context.directory, 'credentials.lock'), context.signal, work)
}

/**
 * An access token for the next request, refreshed if necessary.
 * @param insteadOf a rejected token: another one is returned if possible
 * @throws {Failure} exit code 1 if nobody is logged in
 */
export async function validToken(
  context: Context,
  { insteadOf }: { insteadOf?: string } = {},
): Promise<string> {
  const isGood = ({ access_token: token, expires_at: expiresAt }: Credentials): boolean =>
    token !== insteadOf && (expiresAt === undefined || expiresAt - context.clock() / 1000 > marginSeconds)
  const known = await requireCredentials(context)
  if (isGood(known)) return known.access_token
  if (known.refresh_token === undefined) {
    if (insteadOf !== undefined) return insteadOf
    throw loginNeeded('The login has expired.')
  }
  return withCredentialsLock(context, async () => {
    // Another process may have refreshed first, and a refresh token only works once.
    const current = await requireCredentials(context)
    if (isGood(current)) return current.access_token
    const refreshed = await refresh(context, current)
    await writeCredentials(context.directory, context.apiUrl, refreshed)
    return refreshed.access_token
  })
}

async function requireCredentials({ directory, apiUrl }: Context): Promise<Credentials> {
  const credentials = await readCredentials(directory, apiUrl)
  if (credentials !== undefined) return credentials
  const others = await serversOf(directory)
  const hint =
    others.length === 0
      ? undefined
      : `You are logged in to ${others.join(', ')}. Set TURNPIKE_API_URL to use it.`
  throw loginNeeded(`Not logged in to ${apiUrl}.`, hint)
}

async function refresh(context: Context, credentials: Credentials): Promise<Credentials> {
  const answer = await postForm(context.network, credentials.token_endpoint, {
    grant_type: 'refresh_token',
    refresh_token: credentials.refresh_token,
    client_id: credentials.client_id,
    resource: credentials.resource,
  })
  if (answer.error === 'invalid_grant') throw loginNeeded('The login has expired.')
  if (answer.error !== undefined) {
    throw oauthFailure(answer, 'The login could not be renewed.', exitCodes.server)
  }
  const { accessToken, refreshToken, expiresAt } = tokensOf(answer, context.clock())
  const { expires_at: _, ...lasting } = credentials
  return {
    ...lasting,
    access_token: accessToken,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  }
}

function loginNeeded(message: string, hint = 'Log in: turnpike login'): Failure {
  return new Failure(message, { type: 'authentication_error', exitCode: exitCodes.user, hint })
}
