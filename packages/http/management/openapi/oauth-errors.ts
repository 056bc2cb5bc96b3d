import { Type } from 'typebox'
import type { DocumentedResponse, Reference } from './document-types.ts'

const errorSchema = Type.Object(
  {
    error: Type.String({ description: 'For programs.' }),
    error_description: Type.String({ description: 'For people; its wording may change.' }),
  },
  { title: 'OAuthError', description: 'Errors of the endpoints of OAuth (RFC 6749, section 5.2).' },
)

/** What the endpoints of OAuth answer in place of our envelope. */
const errors: Readonly<
  Record<string, { name: string; description: string; error: string; message: string }>
> = {
  400: {
    name: 'OAuthBadRequest',
    description: 'A field is missing or wrong, or the device waits yet, or was refused.',
    error: 'authorization_pending',
    message: 'The code was not approved yet.',
  },
  401: {
    name: 'OAuthUnauthorized',
    description: 'The sign-in has ended.',
    error: 'invalid_grant',
    message: 'The sign-in has ended, or never was: sign in again.',
  },
  429: {
    name: 'OAuthTooManyRequests',
    description: 'Too many attempts came from this network.',
    error: 'slow_down',
    message: 'Too many attempts came from your network: try again in 60 seconds.',
  },
}

/** By status. */
export const oauthErrorReferences: Record<string, Reference> = Object.fromEntries(
  Object.entries(errors).map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]),
)

/** By the names of the components. */
export function oauthErrorResponses(): Record<string, DocumentedResponse> {
  return Object.fromEntries(
    Object.values(errors).map(({ name, description, error, message }) => [
      name,
      {
        description,
        headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' } },
        content: {
          'application/json': { schema: { ...errorSchema }, example: { error, error_description: message } },
        },
      },
    ]),
  )
}
