/** Who acts through the management API. */
export const auditActors = ['operator', 'user'] as const
export type AuditActor = (typeof auditActors)[number]

/** One action of an operator or a user, whether it succeeded or not. Never changed once written. */
export interface AuditEntry {
  /** `req_…`: the request that did it, and the entry's identifier. */
  requestId: string
  atMs: number
  actor: AuditActor
  /** Subject of the token, a user's or an operator's; null where the internal secret was used. */
  subject: string | null
  /** As in `createKey`. */
  action: string
  /** The account it was about; null where it was about none. */
  accountId: string | null
  /** The account of the person who acted, where they acted for another one; absent: for their own. */
  onBehalfOf?: string | undefined
  /** Identifier of what was made or changed; null where that is not known, or is the node itself. */
  target: string | null
  /** HTTP status of the answer. */
  status: number
  /** JSON of the fields that the request named, where it succeeded; secrets are never among them. */
  details: string | null
  /** The address that it came from. */
  address: string
}

/** An entry with the people it is about, as their accounts are by now; null: there is no such account. */
export interface AuditEntryRead extends AuditEntry {
  /** Who acted. */
  by: AuditPerson | null
  /** Whose account it was about. */
  of: AuditPerson | null
}

export interface AuditPerson {
  accountId: string
  /** As the user chose it: no proof of anything. */
  displayName: string | null
  email: string | null
  emailVerified: boolean
}

export interface AuditFilter {
  /** Subject, account or address of who acted; several may have an address that nobody vouches for. */
  who?: string
  /** Answered with an error. */
  refused?: boolean
  accountId?: string
  target?: string
  actor?: AuditActor
  subject?: string
  action?: string
  /** Unix epoch milliseconds; from, included. */
  fromMs?: number
  /** To, not included. */
  toMs?: number
}

export interface AuditStore {
  append(entry: AuditEntry): Promise<void>
  /** Newest first. */
  list(
    filter: AuditFilter,
    page: { limit: number; cursor?: string },
  ): Promise<{ rows: AuditEntryRead[]; nextCursor: string | null }>
}
