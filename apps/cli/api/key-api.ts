import type { Context } from '../context.ts'
import { exitCodes, Failure } from '../failure.ts'
import { readCredentials } from '../files/credentials.ts'
import { isKey, readLastKey } from '../files/last-key.ts'
import { jsonOf } from '../network/answer.ts'
import { sendRepeatedly } from '../network/retry.ts'
import type { List, Model } from '@turnpike/api'
import { askAsUser } from './user-api.ts'

/**
 * The API key for model calls: the explicit one, otherwise the environment's, otherwise the key created last.
 * That one is the user's own, so it is not used for an organization.
 * @throws {Failure} if there is none
 */
export async function apiKeyFor(context: Context, explicitKey?: string): Promise<string> {
  const key = await findApiKey(context, explicitKey)
  if (key !== undefined) return key
  throw context.organization === undefined ? noKey() : noKeyOfOrganization()
}

async function findApiKey(context: Context, explicitKey?: string): Promise<string | undefined> {
  const named = explicitKey ?? context.environment.TURNPIKE_API_KEY?.trim()
  if (named === undefined || named === '')
    return context.organization === undefined ? readLastKey(context.directory) : undefined
  if (isKey(named)) return named
  const param = explicitKey === undefined ? 'TURNPIKE_API_KEY' : '--key'
  throw keyFailure(`${param}: expected an API key, without spaces or line breaks.`, param)
}

/** Every model with its prices; a logged-in user needs no key for that. */
export async function readModels(context: Context, explicitKey?: string): Promise<Model[]> {
  const key = await findApiKey(context, explicitKey)
  if (key !== undefined) return modelsOfKey(context, key)
  if ((await readCredentials(context.directory, context.apiUrl)) === undefined) throw noKey()
  const { data = [] } = await askAsUser<Partial<List<Model>>>(context, { path: '/api/v1/models' })
  return data
}

/** The models that a key may call, at its prices. */
export async function modelsOfKey(context: Context, key: string): Promise<Model[]> {
  const url = `${context.apiUrl}/v1/models`
  const headers = { accept: 'application/json', authorization: `Bearer ${key}` }
  const answer = await jsonOf(await sendRepeatedly(context.network, { method: 'GET', url, headers }), url)
  const { data = [] } = answer as Partial<List<Model>>
  return data
}

function noKey(): Failure {
  const hint = 'Create one with `turnpike keys create`, or set TURNPIKE_API_KEY.'
  return keyFailure('No API key found.', null, hint)
}

function noKeyOfOrganization(): Failure {
  const hint = 'Create one with `turnpike keys create`, and pass it with --key or TURNPIKE_API_KEY.'
  return keyFailure('--org: no API key of the organization found.', '--org', hint)
}

function keyFailure(message: string, param: string | null, hint?: string): Failure {
  return new Failure(message, {
    type: 'authentication_error',
    exitCode: exitCodes.user,
    param,
    ...(hint !== undefined && { hint }),
  })
}
