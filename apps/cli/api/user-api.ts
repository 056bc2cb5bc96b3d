import { pathWithQuery, type ApiRequest, type List, type Organization } from '@turnpike/api'
import type { Context } from '../context.ts'
import { jsonOf } from '../network/answer.ts'
import type { HttpAnswer } from '../network/http-answer.ts'
import { sendRepeatedly } from '../network/retry.ts'
import { validToken } from '../sign-in/session.ts'
import { organizationOf } from './organization.ts'

/**
 * Calls the management API as the logged-in user. Every request is safe to retry: those that create something
 * have an `Idempotency-Key`. Acts for the organization that the command line names, if any.
 * @throws {Failure}
 */
export async function askAsUser<Answer>(context: Context, request: ApiRequest): Promise<Answer> {
  const organization = await organizationOf(context, () =>
    askAsPerson<List<Organization>>(context, { path: '/api/v1/organizations' }),
  )
  return ask<Answer>(context, request, organization)
}

/** Like `askAsUser`, for requests about the user, whatever organization the command acts for. */
export function askAsPerson<Answer>(context: Context, request: ApiRequest): Promise<Answer> {
  return ask<Answer>(context, request, undefined)
}

async function ask<Answer>(
  context: Context,
  request: ApiRequest,
  organization: string | undefined,
): Promise<Answer> {
  const { apiUrl, network } = context
  const method = request.method ?? 'GET'
  const url = `${apiUrl}${pathWithQuery(request)}`
  const headers = {
    accept: 'application/json',
    ...(method === 'POST' && { 'idempotency-key': crypto.randomUUID() }),
    ...(organization !== undefined && { 'x-turnpike-org': organization }),
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
  }
  const send = (token: string): Promise<HttpAnswer> =>
    sendRepeatedly(network, {
      method,
      url,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    })
  const token = await validToken(context)
  let answer = await send(token)
  if (answer.status === 401) {
    // The token may have been revoked before it expires, so try once more with a new one.
    const other = await validToken(context, { insteadOf: token })
    if (other !== token) {
      answer.discard()
      answer = await send(other)
    }
  }
  return (await jsonOf(answer, url)) as Answer
}
