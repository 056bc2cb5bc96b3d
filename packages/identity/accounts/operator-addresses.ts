import { canonicalEmail, plainestEmail } from '../callers/email-address.ts'

/** The operators' addresses that the configuration lists. */
export interface OperatorAddresses {
  /** Whether a verified address is one of them. */
  includes(email: string): boolean
  /** Whether an address is one of them, or could be mistaken for one. */
  mayInclude(email: string): boolean
}

export function operatorAddresses(listed: readonly string[]): OperatorAddresses {
  const exact = new Set(listed.map(canonicalEmail))
  const plainest = new Set(listed.map(plainestEmail))
  return {
    includes: (email) => exact.has(canonicalEmail(email)),
    mayInclude: (email) => plainest.has(plainestEmail(email)),
  }
}
