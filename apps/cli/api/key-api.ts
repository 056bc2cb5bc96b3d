import type { Context } from '../context.ts'
import { exitCodes, Failure } from '../failure.ts'
import { isKey, readLastKey } from '../files/last-key.ts'
import { jsonOf } from '../network/answer.ts'
import { sendRepeatedly } from '../network/retry.ts'

/**
 * The API key for model calls: the given one, else the environment's, else the one that was created last.
 * @throws {Failure} where there is none
 */
export async function apiKeyFor(context: Context, given?: string): Promise<string> {
  const named = given ?? context.environment.TURNPIKE_API_KEY?.trim()
  if (named !== undefined && named !== '') {
    if (isKey(named)) return named
    const param = given === undefined ? 'TURNPIKE_API_KEY' : '--key'
    throw keyFailure(`${param}: expected an API key, without spaces or line breaks.`, param)
  }
  const cached = await readLastKey(context.directory)
  if (cached !== undefined) return cached
  throw keyFailure(
    'There is no API key available.',
    null,
    'Make one with `turnpike keys create`, or set TURNPIKE_API_KEY.',
  )
}

function keyFailure(message: string, param: string | null, hint?: string): Failure {
  return new Failure(message, {
    type: 'authentication_error',
    exitCode: exitCodes.user,
    param,
    ...(hint !== undefined && { hint }),
  })
}

/** Reads from the compatible surface. */
export async function readWithKey<Answer>(context: Context, key: string, path: string): Promise<Answer> {
  const url = context.apiUrl + path
  const headers = { accept: 'application/json', authorization: `Bearer ${key}` }
  return (await jsonOf(await sendRepeatedly(context.network, { method: 'GET', url, headers }), url)) as Answer
}
