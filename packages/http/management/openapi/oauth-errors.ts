import { Type } from 'typebox'
import type { DocumentedResponse, Reference } from './document-types.ts'

const errorSchema = Type.Object(
  {
    error: Type.String({ description: 'For programs.' }),
    error_description: Type.String({ description: 'For people. The wording may change.' }),
  },
  { title: 'OAuthError', description: 'Errors of `/oauth/*` (RFC 6749, section 5.2).' },
)

/** The errors of OAuth endpoints, which do not use our envelope. */
const errors: Readonly<
  Record<string, { name: string; description: string; error: string; message: string }>
> = {
  400: {
    name: 'OAuthBadRequest',
    description: 'A field is missing or invalid, or the device is still waiting or was refused.',
    error: 'authorization_pending',
    message: 'The code has not been approved yet.',
  },
  401: {
    name: 'OAuthUnauthorized',
    description: 'The sign-in is no longer valid.',
    error: 'invalid_grant',
    message: 'The sign-in is no longer valid. Sign in again.',
  },
  429: {
    name: 'OAuthTooManyRequests',
    description: 'Too many attempts from this network.',
    error: 'slow_down',
    message: 'Too many attempts from your network. Try again in 60 seconds.',
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
