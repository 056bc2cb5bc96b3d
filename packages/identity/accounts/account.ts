export const accountStatuses = ['active', 'suspended', 'closed'] as const
export type AccountStatus = (typeof accountStatuses)[number]

/** An account, together with the session of the token that identified it. */
export interface SignedInAccount extends Account {
  /** The session that the user is signed in to; only for the embedded provider's own clients. */
  sessionId?: string
}

export interface Account {
  id: string
  /** Nobody signs in as an organization: people act for it. */
  kind: 'person' | 'organization'
  displayName: string | null
  email: string | null
  /** Whether the address is verified by the identity provider or an operator; else it proves nothing. */
  emailVerified: boolean
  /** Subject at the identity provider. Null until the first login if the account was made by email. */
  subject: string | null
  status: AccountStatus
  tier: string
  /** Whether this account may administer the gateway with a user token. */
  operator: boolean
  /** The sum of all its top-ups, less refunds. */
  lifetimeTopupPico: bigint
  /** The model against which auto-routing computes savings; null: the gateway's default. */
  baselineModel: string | null
  /** The key that the account's playground uses. It is not listed. Null: the playground was never used. */
  playgroundKeyId: string | null
  /** Prompts and answers of its keys are kept, unless a key says otherwise. */
  logPrompts: boolean
  /** Whether 402s of its keys have a link to a checkout, unless a key says otherwise. */
  keysMayTopUp: boolean
  /** For how many days prompts are kept; null: not set. */
  logDays: number | null
  createdAtMs: number
  /** Sum of the credit of the active keys. */
  balancePico: bigint
  unassignedPico: bigint
}
