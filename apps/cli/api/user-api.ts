import { pathWithQuery, type ApiRequest, type List, type Organization } from '@turnpike/api'
import type { Context } from '../context.ts'
import { jsonOf } from '../network/answer.ts'
import type { HttpAnswer } from '../network/http-answer.ts'
import { sendRepeatedly } from '../network/retry.ts'
import { validToken } from '../sign-in/session.ts'
import { organizationOf } from './organization.ts'

/**
 * Asks the management API as the user who is logged in. Every request may be repeated: those that make
 * something carry an `Idempotency-Key`.
 * Acts for the organization that the command line names, if it does.
 * @throws {Failure}
 */
export async function askAsUser<Answer>(context: Context, request: ApiRequest): Promise<Answer> {
  const organization = await organizationOf(context, () =>
    askAsPerson<List<Organization>>(context, { path: '/api/v1/organizations' }),
  )
  return ask<Answer>(context, request, organization)
}

/** As `askAsUser`, of what is about the person, whomever the command acts for. */
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
    // The token may have been withdrawn before its time; a second one tells.
    const other = await validToken(context, { insteadOf: token })
    if (other !== token) {
      answer.discard()
      answer = await send(other)
    }
  }
  return (await jsonOf(answer, url)) as Answer
}
