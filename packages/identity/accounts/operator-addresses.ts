import { canonicalEmail, plainestEmail } from '../callers/email-address.ts'

/** The addresses whose owners are operators, as the configuration lists them. */
export interface OperatorAddresses {
  /** Whether an address that somebody vouches for is one of them. */
  includes(email: string): boolean
  /** Whether an address is one of them, or could be taken for one. */
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
