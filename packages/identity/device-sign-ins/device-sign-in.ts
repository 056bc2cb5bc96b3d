/* How a program on a device gets the use of a person's API key, without seeing the key (RFC 8628). */

/**
 * Programs that sign in so, by how they call themselves in `surface`
 * (https://code.claude.com/docs/en/llm-gateway-protocol). Nothing proves it: people are told what it says.
 */
export const signInClients = { claude_code: 'Claude Code', other: 'Another program' } as const

export type SignInClient = keyof typeof signInClients

/** A device that has shown a code and waits for a person's word. */
export interface DeviceRequest {
  deviceCodeHash: string
  /** As it is shown: `BCDF-GHJK`. */
  userCode: string
  client: SignInClient
  /** Where it was asked from. */
  address: string
  status: 'pending' | 'approved' | 'denied' | 'used'
  createdAtMs: number
  expiresAtMs: number
}

/** Whom and what a sign-in is charged to, as they are now. */
export interface SignInOwner {
  accountId: string
  keyId: string
  /** Whether requests with the key would be served: it and its account are active, and it has not expired. */
  isUsable: boolean
  email: string | null
  emailVerified: boolean
}

/** A device that is signed in. Of its secrets hashes are kept alone. */
export interface SignIn extends SignInOwner {
  /** `sgn_…` */
  id: string
  /** Makes the next tokens of the last one: see `successorsOf`. */
  salt: string
  refreshHash: string
  previousRefreshHash: string | null
  refreshedAtMs: number
  createdAtMs: number
  expiresAtMs: number
}

/** As its person sees it. */
export interface SignedInDevice {
  id: string
  keyId: string
  client: SignInClient
  /** Where it was when it asked for its code. */
  address: string
  createdAtMs: number
  refreshedAtMs: number
}

export interface NewSignIn {
  id: string
  familyHash: string
  salt: string
  refreshHash: string
  accessHash: string
  accessExpiresAtMs: number
  nowMs: number
  expiresAtMs: number
}

export interface DeviceSignInStore {
  /** False where the user code is another device's. */
  begin(request: Omit<DeviceRequest, 'status'>): Promise<boolean>
  /** One that waits, and has not expired. */
  findWaiting(userCode: string, nowMs: number): Promise<DeviceRequest | undefined>
  findByDeviceCode(deviceCodeHash: string): Promise<DeviceRequest | undefined>
  /** True for the one denial that counts, however many are made at once. */
  deny(userCode: string, nowMs: number): Promise<boolean>
  /** True for the one account that may approve it from then on, until it does or lets go of it. */
  claim(userCode: string, accountId: string, nowMs: number): Promise<boolean>
  release(userCode: string, accountId: string): Promise<void>
  /** Only what the account has claimed. */
  approve(userCode: string, accountId: string, keyId: string): Promise<boolean>
  /**
   * Signs an approved device in, once; undefined for all who try it besides. Of the sign-ins of one key the
   * oldest end, beyond so many.
   */
  start(deviceCodeHash: string, signIn: NewSignIn, mostOfKey: number): Promise<SignInOwner | undefined>
  find(familyHash: string, nowMs: number): Promise<SignIn | undefined>
  /** False where the refresh token was used meanwhile. */
  renew(
    id: string,
    change: {
      fromHash: string
      refreshHash: string
      accessHash: string
      accessExpiresAtMs: number
      nowMs: number
      expiresAtMs: number
    },
  ): Promise<boolean>
  /** Its access tokens are of no use from then on, on every node. */
  end(id: string): Promise<void>
  /** Those of an account, the last renewed first: 200 at most. */
  listOf(accountId: string, nowMs: number): Promise<SignedInDevice[]>
  /** As `end`, of one or all of an account. @returns the keys that they used */
  endOf(accountId: string, id?: string): Promise<string[]>
  /** The sign-in that an access token is of, and its key. */
  findByAccess(accessHash: string): Promise<{ id: string; keyId: string } | undefined>
  /**
   * The active key that an account has for a program, and that has not expired; the newest of several. Of an
   * organization's: this member's.
   */
  keyFor(
    accountId: string,
    client: SignInClient,
    nowMs: number,
    memberId: string | null,
  ): Promise<string | undefined>
  /** Removes what expired before then. */
  removeExpired(beforeMs: number): Promise<void>
}
