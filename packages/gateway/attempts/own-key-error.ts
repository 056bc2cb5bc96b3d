import type { GatewayError } from '@turnpike/protocol'
import { findVendor } from '@turnpike/vendors'
import type { Candidate } from '../candidates/candidate.ts'

/** Rewrites an error about an own key for its owner, who alone can fix it. Other errors stay unchanged. */
export function toOwnKeyError(error: GatewayError, { own, provider }: Candidate): GatewayError {
  if (own === undefined) return error
  const { vendor, name } = provider
  const title = (vendor === undefined ? undefined : findVendor(vendor))?.title ?? name
  const key = `your own key "${own.name}" (…${own.last4})`
  switch (error.reason) {
    case 'key-refused':
      return error.with({
        message: `${title} rejected ${key}. Replace it or remove it (/api/v1/vendor-keys/${own.id}).`,
      })
    case 'out-of-quota':
      return error.with({
        message: `${title} says that ${key} has no credit left. Add credit there, or use another key.`,
      })
    case 'not-permitted':
      return error.with({ message: `${title} does not let ${key} use this model.` })
    default:
      return error
  }
}
