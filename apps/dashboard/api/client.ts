import type { paths, Schemas } from '@turnpike/api'
import createClient from 'openapi-fetch'
import { fetchAsPerson, fetchAsUser } from './access.ts'
import { ApiFailure } from './api-failure.ts'

export type { Schemas }

/** The management API, typed by its OpenAPI document, for the account that this tab acts for. */
export const api = createClient<paths>({ baseUrl: '/', fetch: fetchAsUser })

/** The same for requests about the signed-in person: their login, sessions and organizations. */
export const personApi = createClient<paths>({ baseUrl: '/', fetch: fetchAsPerson })

/** The public part of the API, called without a token. */
export const openApi = createClient<paths>({ baseUrl: '/' })

interface Answer<Data> {
  data?: Data
  error?: Schemas['Error']
  response: Response
}

/** A pending call of one of these clients; `bodyOf` reads it. */
export type Asked<Data> = Promise<Answer<Data>>

/**
 * The body of a response.
 * @throws {ApiFailure}
 */
export async function bodyOf<Data>(pending: Asked<Data>): Promise<Data> {
  let answer: Answer<Data>
  try {
    answer = await pending
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiFailure('The gateway cannot be reached.', { cause: error })
  }
  if (answer.data !== undefined) return answer.data
  throw ApiFailure.of(answer.response.status, answer.error)
}

/** For a POST that must take effect once, however often it is sent. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID()
}
