/*
 * What the embedded identity provider stores; `packages/storage` implements these interfaces on both engines.
 */

/** A grant, session, code, token or interaction, in the form `oidc-provider` uses. */
export interface StateRecord {
  /** Name of its model, such as `RefreshToken`. */
  kind: string
  id: string
  payload: Record<string, unknown>
  uid: string | null
  userCode: string | null
  grantId: string | null
  /** Null: it never expires. */
  expiresAtMs: number | null
}

export interface FoundState {
  payload: Record<string, unknown>
  /** When it was used up; null while it can still be used. */
  consumedAtMs: number | null
}

/** A grant with a refresh token that is still valid. */
export interface LiveGrant {
  id: string
  grant: Record<string, unknown>
  refreshToken: Record<string, unknown>
}

/** The state that a sign-in needs between requests. */
export interface ProviderStateStore {
  /** Inserts the record, or replaces the one with its kind and id, except whether that was consumed. */
  write(record: StateRecord): Promise<void>
  /** Also finds expired records until they are removed: "expired" is a different response from "unknown". */
  find(kind: string, id: string): Promise<FoundState | undefined>
  findByUid(kind: string, uid: string): Promise<FoundState | undefined>
  findByUserCode(kind: string, userCode: string): Promise<FoundState | undefined>
  /** True for the one caller that used it up, however many try at once. */
  consume(kind: string, id: string, nowMs: number): Promise<boolean>
  remove(kind: string, id: string): Promise<void>
  removeOfGrant(kind: string, grantId: string): Promise<void>
  /** A user's grants that are still valid, newest first: at most 200. */
  liveGrants(userId: string, nowMs: number): Promise<LiveGrant[]>
  /** Removes records that expired before that time. */
  removeExpired(beforeMs: number): Promise<void>
}

export interface NewProviderUser {
  /** `usr_…`: the subject of their tokens. */
  id: string
  /** In the form of `canonicalEmail`. */
  email: string
  name: string | null
  /** In the form of `password.ts`. */
  passwordHash: string
}

/** A user of the embedded provider. */
export interface ProviderUser extends Omit<NewProviderUser, 'email'> {
  /** Unique. Null: somebody else was invited with the address that this user had entered. */
  email: string | null
  /** Whether the address is verified: an operator's invitation names it, or a mailed code proved it. */
  emailVerified: boolean
  /** Logins of a lower generation have ended. */
  loginGeneration: number
}

/** The invitation that somebody registers with. */
export interface Invitation {
  codeHash: string
  /** The address is, or could be mistaken for, one that the configuration lists as an operator's. */
  isForOperator: boolean
}

export interface ProviderUserStore {
  find(userId: string): Promise<ProviderUser | undefined>
  findByEmail(email: string): Promise<ProviderUser | undefined>
  /**
   * Creates a user and uses up the invitation in one transaction. An invitation that names the address
   * assigns it to whoever brings the invitation: a user who has the address unverified stays a user but loses
   * the address; a user who got it by an earlier invitation gets the new password, and all their logins end.
   * An operator's address requires an invitation that was made with the internal secret.
   * @param invitation undefined: registers without one
   */
  create(
    user: NewProviderUser,
    invitation: Invitation | undefined,
    nowMs: number,
  ): Promise<{ user: ProviderUser } | { refused: 'email-taken' | 'invite-unknown' | 'invite-without-secret' }>
  /** Ends every login but the kept session; false if the password was changed in the meantime. */
  changePassword(
    userId: string,
    change: { from: string; to: string; keptSessionId: string | undefined },
  ): Promise<boolean>
  /** The new address is unverified. False if it is somebody else's. */
  changeEmail(userId: string, email: string): Promise<boolean>
  /** Replaces a hash by another one of the same password, unless the password was changed in the meantime. */
  replacePasswordHash(userId: string, from: string, to: string): Promise<void>
}

/** A browser with the dashboard in any number of tabs, or one sign-in of a command line. */
export type LoginKind = 'browser' | 'command_line'

/** When and where a session was last used. */
export interface SessionUse {
  /** The `User-Agent` of its requests; '' if they send none. */
  userAgent: string
  address: string
  nowMs: number
  expiresAtMs: number
}

export interface NewLoginSession extends SessionUse {
  /** `ses_…` */
  id: string
  userId: string
  loginGeneration: number
  kind: LoginKind
  /** `oidc-provider`'s identifier of the browser's session; null: not a browser. */
  browserUid: string | null
}

/** A place where a user is signed in. */
export interface LoginSession extends Pick<NewLoginSession, 'id' | 'kind' | 'userAgent' | 'address'> {
  createdAtMs: number
  lastUsedAtMs: number
}

export interface LoginSessionStore {
  /**
   * Begins a session and returns its identifier. A browser that already has a session keeps it, even one that
   * has ended, so that whatever was in progress then ends with it.
   */
  begin(session: NewLoginSession): Promise<string>
  isEnded(browserUid: string): Promise<boolean>
  /** Sessions that have not ended, most recently used first: at most 200. */
  list(userId: string, nowMs: number): Promise<LoginSession[]>
  use(id: string, use: SessionUse): Promise<void>
  /** Ends one of the user's sessions with all it has, on every node; false if there is none. */
  end(userId: string, id: string, nowMs: number): Promise<boolean>
  endOfBrowser(browserUid: string, nowMs: number): Promise<void>
  /** Ends a command line's session after its only grant is gone. */
  endOfCommandLine(id: string, nowMs: number): Promise<void>
  /** Ends every login of the user, including those of apps, except the kept session. */
  endOthers(userId: string, keptId: string | undefined): Promise<void>
  /** Removes sessions that expired before that time. */
  removeExpired(beforeMs: number): Promise<void>
}

export interface Invite {
  /** `inv_…` */
  id: string
  /** The only address that it is for, in the form of `canonicalEmail`; null: for anybody who has the code. */
  email: string | null
  createdAtMs: number
  expiresAtMs: number
  usedAtMs: number | null
  /** Created with the internal secret, not with an operator's token. */
  bySecret: boolean
}

export const inviteStates = ['open', 'used', 'expired'] as const

export interface InviteFilter {
  state?: (typeof inviteStates)[number]
  /** Created at or after this time, in Unix epoch milliseconds. */
  fromMs?: number
  /** Created before this time. */
  toMs?: number
  /** The time at which expiry is evaluated; by default the current time. */
  nowMs?: number
}

export interface InviteStore {
  create(invite: Omit<Invite, 'usedAtMs'>, codeHash: string): Promise<void>
  /** Newest first; includes used and expired ones. */
  list(
    page: { limit: number; cursor?: string },
    filter?: InviteFilter,
  ): Promise<{ rows: Invite[]; nextCursor: string | null }>
  /** False if there is no such invitation, or it was used. */
  remove(inviteId: string): Promise<boolean>
}

/** Verifies the user's address, changes to another address, or sets a new password. */
export type MailedCodePurpose = 'verify' | 'change' | 'password'

/** A code as it is stored once it is mailed. */
export interface MailedCode {
  codeHash: string
  userId: string
  purpose: MailedCodePurpose
  /** The recipient's address, in the form of `canonicalEmail`. */
  email: string
  /** The user's generation: once it is raised, a code for the address or password is invalid. */
  loginGeneration: number
  createdAtMs: number
  expiresAtMs: number
}

/** How many of these mails may be sent in 24 hours. */
export interface MailedCodeLimits {
  toAddress: number
  ofUser: number
  /** Beyond the limit, the time after which another mail may follow; absent: none in the 24 hours. */
  thenEveryMs?: number
}

export type ProofRefusal =
  /** There was no such code, it has expired or was used, or the user's address has changed. */
  | 'unknown'
  /** The code is for somebody else's account. */
  | 'other-user'
  /** Somebody else has the address, verified. */
  | 'email-taken'

/** The user who has set a new password. */
export interface NewPasswordOf {
  user: ProviderUser
  /** The user's account; null: they have none yet. */
  accountId: string | null
  /** Keys that devices used through sign-ins that have ended. */
  keyIds: readonly string[]
}

/** Codes that were mailed to users of the embedded provider; each can be used once. */
export interface MailedCodeStore {
  /**
   * Stores a code, which is mailed afterwards. A code to change the address replaces the previous one.
   * @returns 0, or the seconds until another one may be sent
   */
  add(code: MailedCode, limits: MailedCodeLimits): Promise<number>
  /** Removes a code whose mail was not sent, so that it does not count. */
  remove(codeHash: string): Promise<void>
  /** The address that a user has requested, while the code for it is valid. */
  pendingEmail(userId: string, nowMs: number): Promise<string | null>
  /**
   * Uses up a code to verify or change an address: the address is then the user's, verified, and nobody
   * else's. Repeating it as the same user succeeds and changes nothing.
   */
  prove(
    codeHash: string,
    userId: string,
    nowMs: number,
  ): Promise<{ email: string } | { refused: ProofRefusal }>
  /** Whether this code can set a password now. Checked before a password is hashed. */
  maySetPassword(codeHash: string, nowMs: number): Promise<boolean>
  /**
   * Sets a new password for the user with a verified address, and ends all their logins, including devices.
   * An unverified address goes to a new user, since the owner of the mailbox need not be the person who
   * registered with it: the old user continues without an address.
   * @param newUserId identifier for the new user, if one is created
   * @returns undefined if the code is no longer valid
   */
  setPassword(
    codeHash: string,
    { newUserId, passwordHash }: { newUserId: string; passwordHash: string },
    nowMs: number,
  ): Promise<NewPasswordOf | undefined>
  /** Removes codes that expired more than a day before that time, and thus no longer count. */
  removeExpired(beforeMs: number): Promise<void>
}

/** A secret that all nodes share. The one with the highest number is used, earlier ones are accepted. */
export interface ProviderSecret {
  purpose: 'signing' | 'cookies'
  number: number
  /** A private key as a JSON Web Key, or a random text. */
  secret: string
  createdAtMs: number
}

export interface ProviderSecretStore {
  /** Grouped by purpose, newest first. */
  list(): Promise<ProviderSecret[]>
  /** False if another node has taken the number in the meantime. */
  add(secret: ProviderSecret): Promise<boolean>
}

export interface EmbeddedProviderStores {
  state: ProviderStateStore
  users: ProviderUserStore
  sessions: LoginSessionStore
  invites: InviteStore
  mailedCodes: MailedCodeStore
  secrets: ProviderSecretStore
}

/** The active organizations that a user's account belongs to; none if the user has no account yet. */
export type OrganizationsOfUser = (userId: string) => Promise<{ id: string; name: string; role: string }[]>
