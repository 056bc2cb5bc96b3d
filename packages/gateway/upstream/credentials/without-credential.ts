import { GatewayError } from '@turnpike/protocol'
import { CredentialFailure, type Credential } from './credential.ts'

/** The caller's error if there is no credential. The reason, and what helps, only go to the log. */
export function withoutCredential(credential: Credential): GatewayError {
  const { source, failure, hint } = credential.state()
  const why = failure ?? 'it has not been issued yet'
  const detail = `no credential (${source}): ${why}${hint === null ? '' : `; ${hint}`}`
  const cause = new CredentialFailure(why, hint ?? '')
  const message = 'The gateway has no credential for this upstream at the moment.'
  return new GatewayError('upstream_error', message, { detail, cause })
}
