import { pathWithQuery, type ApiRequest } from '@turnpike/api'
import type { Context } from '../context.ts'
import { jsonOf } from '../network/answer.ts'
import type { HttpAnswer } from '../network/http-answer.ts'
import { sendRepeatedly } from '../network/retry.ts'
import { validToken } from '../sign-in/session.ts'

/**
 * Asks the management API as the user who is logged in. Every request may be repeated: those that make
 * something
 * carry an `Idempotency-Key`.
 * @throws {Failure}
 */
export async function askAsUser<Answer>(context: Context, request: ApiRequest): Promise<Answer> {
  const { apiUrl, network } = context
  const method = request.method ?? 'GET'
  const url = `${apiUrl}${pathWithQuery(request)}`
  const headers = {
    accept: 'application/json',
    ...(method === 'POST' && { 'idempotency-key': crypto.randomUUID() }),
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
  }
  const ask = (token: string): Promise<HttpAnswer> =>
    sendRepeatedly(network, {
      method,
      url,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    })
  const token = await validToken(context)
  let answer = await ask(token)
  if (answer.status === 401) {
    // The token may have been withdrawn before its time; a second one tells.
    const other = await validToken(context, { insteadOf: token })
    if (other !== token) {
      answer.discard()
      answer = await ask(other)
    }
  }
  return (await jsonOf(answer, url)) as Answer
}
