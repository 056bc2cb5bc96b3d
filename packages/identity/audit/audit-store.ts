/** The kinds of actors of the management API. */
export const auditActors = ['operator', 'user'] as const
export type AuditActor = (typeof auditActors)[number]

/** One action of an operator or a user, whether it succeeded or not. Immutable once written. */
export interface AuditEntry {
  /** `req_…`: the request that performed the action; also the entry's identifier. */
  requestId: string
  atMs: number
  actor: AuditActor
  /** Subject of the user's or operator's token; null if the internal secret was used. */
  subject: string | null
  /** Name of the action, such as `createKey`. */
  action: string
  /** The account that the action was about; null: none. */
  accountId: string | null
  /** The acting person's account, if they acted for another one; absent: they acted for their own. */
  onBehalfOf?: string | undefined
  /** Identifier of what was created or changed; null if unknown, or if it is the node itself. */
  target: string | null
  /** HTTP status of the response. */
  status: number
  /** JSON of the fields in the request, if it succeeded; never includes secrets. */
  details: string | null
  /** The internet address that the request came from. */
  address: string
}

/** An entry with the people it involves, as their accounts are now; null: the account does not exist. */
export interface AuditEntryRead extends AuditEntry {
  /** The actor. */
  by: AuditPerson | null
  /** The owner of the account that the action was about. */
  of: AuditPerson | null
}

export interface AuditPerson {
  accountId: string
  /** Chosen by the user, so it proves nothing. */
  displayName: string | null
  email: string | null
  emailVerified: boolean
}

export interface AuditFilter {
  /** Subject, account or address of the actor. Several accounts may have the same unverified address. */
  who?: string
  /** The response was an error. */
  refused?: boolean
  accountId?: string
  target?: string
  actor?: AuditActor
  subject?: string
  action?: string
  /** At or after this time, in Unix epoch milliseconds. */
  fromMs?: number
  /** Before this time. */
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
