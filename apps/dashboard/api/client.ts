import type { paths, Schemas } from '@turnpike/api'
import createClient from 'openapi-fetch'
import { fetchAsPerson, fetchAsUser } from './access.ts'
import { ApiFailure } from './api-failure.ts'

export type { Schemas }

/** The management API, typed by its own document, for the account that this tab acts for. */
export const api = createClient<paths>({ baseUrl: '/', fetch: fetchAsUser })

/** The same about whoever signed in: their sign-in, their sessions, the organizations that they are in. */
export const personApi = createClient<paths>({ baseUrl: '/', fetch: fetchAsPerson })

/** What is open to everybody, asked without a token. */
export const openApi = createClient<paths>({ baseUrl: '/' })

interface Answer<Data> {
  data?: Data
  error?: Schemas['Error']
  response: Response
}

/** A call of one of these clients; `bodyOf` reads it. */
export type Asked<Data> = Promise<Answer<Data>>

/** The body of an answer. @throws {ApiFailure} */
export async function bodyOf<Data>(asked: Asked<Data>): Promise<Data> {
  let answer: Answer<Data>
  try {
    answer = await asked
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiFailure('The gateway cannot be reached.', { cause: error })
  }
  if (answer.data !== undefined) return answer.data
  throw ApiFailure.of(answer.response.status, answer.error)
}

/** For a POST that must happen once, however often it is sent. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID()
}
