import { expect, it } from 'vitest'
import { hintFor, type IdentityKind } from './hints.ts'

it.each<[IdentityKind, string, RegExp]>([
  ['aws', 'ExpiredTokenException: The security token included in the request is expired', /access keys/],
  ['aws', 'AccessDenied: User: x is not authorized to perform: sts:AssumeRole', /trust policy/],
  ['aws', 'InvalidIdentityTokenException: No OpenIDConnect provider found', /OpenID provider/],
  [
    'aws',
    'CredentialsProviderError: Could not load credentials from any providers',
    /no AWS credentials were found/,
  ],
  ['aws', 'CredentialsProviderError: Could not resolve credentials using profile: [prod]', /aws\.profile/],
  ['aws', 'CredentialsProviderError: The SSO session has expired or is otherwise invalid', /aws sso login/],
  ['aws', 'Error: connect ECONNREFUSED 169.254.169.254:80', /no reachable instance or container/],
  ['google', 'invalid_grant: Invalid JWT Signature.', /revoked/],
  ['google', 'Could not load the default credentials.', /google\.credentials_file/],
  ['google', "Permission 'iam.serviceAccounts.getAccessToken' denied", /Token Creator/],
  ['entra', 'AADSTS7000215: Invalid client secret provided.', /its value/],
  ['entra', 'AADSTS7000222: The provided client secret keys are expired.', /has expired/],
  ['entra', "AADSTS700016: Application with identifier 'x' was not found", /entra\.client_id/],
  ['entra', "AADSTS90002: Tenant 'x' not found.", /entra\.tenant_id/],
  ['entra', 'CredentialUnavailableError: ManagedIdentityCredential: no response', /managed identity/],
  ['entra', 'getaddrinfo ENOTFOUND login.microsoftonline.com', /unreachable/],
])('%s: %s', (kind, text, hint) => {
  expect(hintFor(kind, text)).toMatch(hint)
})

it('returns nothing for an unknown failure', () => {
  expect(hintFor('aws', 'a new word')).toBe('')
})
