/* What the embedded identity provider keeps; `packages/storage` implements it on both engines. */

/** A grant, session, code, token or interaction, as `oidc-provider` hands them over. */
export interface StateRecord {
  /** Name of its model, as in `RefreshToken`. */
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
  /** When it was used up; null while it may still be used. */
  consumedAtMs: number | null
}

/** A grant with a refresh token that may be used. */
export interface LiveGrant {
  id: string
  grant: Record<string, unknown>
  refreshToken: Record<string, unknown>
}

/** Everything that a sign-in needs to remember between two requests. */
export interface ProviderStateStore {
  /** Writes the record in the place of the one of its kind and id. That it was consumed, stays. */
  write(record: StateRecord): Promise<void>
  /** Found beyond its expiry too, until it is removed: "expired" is another answer than "unknown". */
  find(kind: string, id: string): Promise<FoundState | undefined>
  findByUid(kind: string, uid: string): Promise<FoundState | undefined>
  findByUserCode(kind: string, userCode: string): Promise<FoundState | undefined>
  /** True for the one caller that used it up, however many try at once. */
  consume(kind: string, id: string, nowMs: number): Promise<boolean>
  remove(kind: string, id: string): Promise<void>
  removeOfGrant(kind: string, grantId: string): Promise<void>
  /** What a user has granted and may still be used, the newest 200 first. */
  liveGrants(userId: string, nowMs: number): Promise<LiveGrant[]>
  /** Removes what expired before then. */
  removeExpired(beforeMs: number): Promise<void>
}

export interface NewProviderUser {
  /** `usr_…`: the subject of their tokens. */
  id: string
  /** As `canonicalEmail` writes it. */
  email: string
  name: string | null
  /** As `password.ts` writes it. */
  passwordHash: string
}

/** Somebody who signs in here. */
export interface ProviderUser extends Omit<NewProviderUser, 'email'> {
  /** No two users have the same; null: somebody else was invited to the one that they had given. */
  email: string | null
  /** Whether an operator vouched for the address, by an invitation that names it, or a mailed code did. */
  emailVerified: boolean
  /** Logins of a lower one have ended. */
  loginGeneration: number
}

/** What somebody brings to register with. */
export interface Invitation {
  codeHash: string
  /** Their address is, or may be taken for, one that the configuration lists as an operator's. */
  isForOperator: boolean
}

export interface ProviderUserStore {
  find(userId: string): Promise<ProviderUser | undefined>
  findByEmail(email: string): Promise<ProviderUser | undefined>
  /**
   * Makes a user and uses up the invitation in one transaction. An invitation that names the address gives it
   * to whoever brings it: a user who has it without anybody's word goes on as who they are, without it; one
   * who has it by an earlier invitation gets the new password, and all their logins end. An operator's
   * address takes an invitation that was made with the internal secret.
   * @param invitation undefined: they have none
   */
  create(
    user: NewProviderUser,
    invitation: Invitation | undefined,
    nowMs: number,
  ): Promise<{ user: ProviderUser } | { refused: 'email-taken' | 'invite-unknown' | 'invite-without-secret' }>
  /**
   * Gives a new password, and ends every login but that of the kept session; false where the password was
   * changed meanwhile.
   */
  changePassword(
    userId: string,
    change: { from: string; to: string; keptSessionId: string | undefined },
  ): Promise<boolean>
  /** False where the address is somebody else's. Nobody vouches for a new one. */
  changeEmail(userId: string, email: string): Promise<boolean>
  /** Replaces a hash by another one of the same password, unless that was changed meanwhile. */
  replacePasswordHash(userId: string, from: string, to: string): Promise<void>
}

/** A browser at the dashboard, with all of its tabs; or a command line, by one sign-in. */
export type LoginKind = 'browser' | 'command_line'

/** Where a session was last seen. */
export interface SessionUse {
  /** As its requests say it; '' where they do not. */
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
  /** What `oidc-provider` calls the browser's session; null: it is no browser's. */
  browserUid: string | null
}

/** Where somebody is signed in. */
export interface LoginSession extends Pick<NewLoginSession, 'id' | 'kind' | 'userAgent' | 'address'> {
  createdAtMs: number
  lastUsedAtMs: number
}

export interface LoginSessionStore {
  /**
   * The session's identifier: of a browser that has one already, of that; also where it has ended, so that
   * what was under way then ends with it.
   */
  begin(session: NewLoginSession): Promise<string>
  isEnded(browserUid: string): Promise<boolean>
  /** Those that have not ended, the last used first: 200 at most. */
  list(userId: string, nowMs: number): Promise<LoginSession[]>
  use(id: string, use: SessionUse): Promise<void>
  /** Ends one of the user's with all that it has, on every node; false where they have none such. */
  end(userId: string, id: string, nowMs: number): Promise<boolean>
  endOfBrowser(browserUid: string, nowMs: number): Promise<void>
  /** Ends that of a command line, whose only grant is gone. */
  endOfCommandLine(id: string, nowMs: number): Promise<void>
  /** Ends every login of the user, apps included, but that of the kept session. */
  endOthers(userId: string, keptId: string | undefined): Promise<void>
  /** Removes what expired before then. */
  removeExpired(beforeMs: number): Promise<void>
}

export interface Invite {
  /** `inv_…` */
  id: string
  /** The only address it is for, as `canonicalEmail` writes it; null: for whoever has it. */
  email: string | null
  createdAtMs: number
  expiresAtMs: number
  usedAtMs: number | null
  /** Made with the internal secret, and not with an operator's token. */
  bySecret: boolean
}

export const inviteStates = ['open', 'used', 'expired'] as const

export interface InviteFilter {
  state?: (typeof inviteStates)[number]
  /** When it was made, in Unix epoch milliseconds; from, included. */
  fromMs?: number
  /** To, not included. */
  toMs?: number
  /** What is expired by when; the time by default. */
  nowMs?: number
}

export interface InviteStore {
  create(invite: Omit<Invite, 'usedAtMs'>, codeHash: string): Promise<void>
  /** Newest first; used and expired ones included. */
  list(
    page: { limit: number; cursor?: string },
    filter?: InviteFilter,
  ): Promise<{ rows: Invite[]; nextCursor: string | null }>
  /** False where there is no such invitation, or it was used. */
  remove(inviteId: string): Promise<boolean>
}

/**
 * What a mailed code is for: to show that an address is its user's, to have another address from now on, to
 * set a new password.
 */
export type MailedCodePurpose = 'verify' | 'change' | 'password'

/** A code as it is kept, from its mail on. */
export interface MailedCode {
  codeHash: string
  userId: string
  purpose: MailedCodePurpose
  /** Whom it is mailed to, as `canonicalEmail` writes it. */
  email: string
  /** Of the user as they are now: one to change the address, or for a password, is of no use after it. */
  loginGeneration: number
  createdAtMs: number
  expiresAtMs: number
}

/** How many such mails there may be in 24 hours. */
export interface MailedCodeLimits {
  toAddress: number
  ofUser: number
  /** Beyond that, another one may follow the latest after so long; absent: none, within the 24 hours. */
  thenEveryMs?: number
}

export type ProofRefusal =
  /** There was none, it has expired or was used, or the address is another one by now. */
  | 'unknown'
  /** It is of somebody else's account. */
  | 'other-user'
  /** Somebody else has the address, verified. */
  | 'email-taken'

/** Who has a new password. */
export interface NewPasswordOf {
  user: ProviderUser
  /** What they use here; null: nothing yet. */
  accountId: string | null
  /** Keys that devices had the use of, by sign-ins that have ended. */
  keyIds: readonly string[]
}

/** Codes that were mailed to users of the embedded provider; each is of use once. */
export interface MailedCodeStore {
  /**
   * Keeps a code, which is to be mailed then. One to change the address takes the place of the one before.
   * @returns 0, or the seconds until another one may be sent
   */
  add(code: MailedCode, limits: MailedCodeLimits): Promise<number>
  /** Its mail was not sent, and does not count. */
  remove(codeHash: string): Promise<void>
  /** The address that a user has asked for, while the code for it is good. */
  pendingEmail(userId: string, nowMs: number): Promise<string | null>
  /**
   * Uses a code to verify or to change an address up: it is the user's, verified, and nobody else's. Again by
   * the same user, it changes nothing and is as good.
   */
  prove(
    codeHash: string,
    userId: string,
    nowMs: number,
  ): Promise<{ email: string } | { refused: ProofRefusal }>
  /** Whether this code sets a password now: to know before one is hashed. */
  maySetPassword(codeHash: string, nowMs: number): Promise<boolean>
  /**
   * Gives the user of a verified address a new password, and ends all their logins, devices included. An
   * address that nobody has verified goes to a new user, since who has its mailbox need not be who has
   * registered with it: that one goes on without it.
   * @param newUserId of the new user, if there is to be one
   * @returns undefined: the code is of no use any more
   */
  setPassword(
    codeHash: string,
    { newUserId, passwordHash }: { newUserId: string; passwordHash: string },
    nowMs: number,
  ): Promise<NewPasswordOf | undefined>
  /** Removes those that are a day older than then, and count no more. */
  removeExpired(beforeMs: number): Promise<void>
}

/** A secret that all nodes share. The one with the highest number is in use, those before it are accepted. */
export interface ProviderSecret {
  purpose: 'signing' | 'cookies'
  number: number
  /** A private key as JSON Web Key, or a random text. */
  secret: string
  createdAtMs: number
}

export interface ProviderSecretStore {
  /** By purpose, newest first. */
  list(): Promise<ProviderSecret[]>
  /** False where another node has taken the number meanwhile. */
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

/** The active organizations that a user's account belongs to; none where they have no account yet. */
export type OrganizationsOfUser = (userId: string) => Promise<{ id: string; name: string; role: string }[]>
