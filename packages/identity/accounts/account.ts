export const accountStatuses = ['active', 'suspended', 'closed'] as const
export type AccountStatus = (typeof accountStatuses)[number]

/** An account, as a token of its user's shows it. */
export interface SignedInAccount extends Account {
  /** Of the embedded provider's own clients: where the user is signed in. */
  sessionId?: string
}

export interface Account {
  id: string
  /** Nobody signs in as an organization: people act for it. */
  kind: 'person' | 'organization'
  displayName: string | null
  email: string | null
  /** Whether the identity provider, or an operator, vouches for the address; else it proves nothing. */
  emailVerified: boolean
  /** Subject at the identity provider; null until a first login where the account was made by email. */
  subject: string | null
  status: AccountStatus
  tier: string
  /** Marked as one who may administer the gateway with a user token. */
  operator: boolean
  /** All its top-ups together, less what went back. */
  lifetimeTopupPico: bigint
  /** What savings of auto-routing are reckoned against; null: the gateway's own choice. */
  baselineModel: string | null
  /** The key by which its playground asks, which is not listed; null: it never has. */
  playgroundKeyId: string | null
  /** Prompts and answers of its keys are kept, unless a key says otherwise. */
  logPrompts: boolean
  /** Whether 402s of its keys have a link to a checkout, unless a key says otherwise. */
  keysMayTopUp: boolean
  /** For how many days; null: nobody has said. */
  logDays: number | null
  createdAtMs: number
  /** Sum of the credit of the active keys. */
  balancePico: bigint
  unassignedPico: bigint
}
