/* Lets a program on a device use a person's API key without seeing the key (RFC 8628). */

/**
 * The programs that can sign in, by the name they send in `surface`
 * (https://code.claude.com/docs/en/llm-gateway-protocol). The name is not verified: people are shown what the
 * program claims.
 */
export const signInClients = { claude_code: 'Claude Code', other: 'Another program' } as const

export type SignInClient = keyof typeof signInClients

/** A device that has shown a code and waits for a person's decision. */
export interface DeviceRequest {
  deviceCodeHash: string
  /** As it is displayed: `BCDF-GHJK`. */
  userCode: string
  client: SignInClient
  /** The internet address that requested the code. */
  address: string
  status: 'pending' | 'approved' | 'denied' | 'used'
  createdAtMs: number
  expiresAtMs: number
}

/** The account and key that a sign-in is charged to, in their current state. */
export interface SignInOwner {
  accountId: string
  keyId: string
  /** Whether the key can be used: it and its account are active, and it has not expired. */
  isUsable: boolean
  email: string | null
  emailVerified: boolean
}

/** A device that is signed in. Of its secrets, only hashes are stored. */
export interface SignIn extends SignInOwner {
  /** `sgn_…` */
  id: string
  /** Used to derive the next tokens from the last one: see `successorsOf`. */
  salt: string
  refreshHash: string
  previousRefreshHash: string | null
  refreshedAtMs: number
  createdAtMs: number
  expiresAtMs: number
}

/** A signed-in device, as its person sees it. */
export interface SignedInDevice {
  id: string
  keyId: string
  client: SignInClient
  /** The internet address that requested the code. */
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
  /** False if another device already has the user code. */
  begin(request: Omit<DeviceRequest, 'status'>): Promise<boolean>
  /** A request that is undecided and has not expired. */
  findWaiting(userCode: string, nowMs: number): Promise<DeviceRequest | undefined>
  findByDeviceCode(deviceCodeHash: string): Promise<DeviceRequest | undefined>
  /** True for the one denial that takes effect, however many arrive at once. */
  deny(userCode: string, nowMs: number): Promise<boolean>
  /** True for the one account that may approve the request from then on, until it approves or releases it. */
  claim(userCode: string, accountId: string, nowMs: number): Promise<boolean>
  release(userCode: string, accountId: string): Promise<void>
  /** Approves a request that the account has claimed; no other. */
  approve(userCode: string, accountId: string, keyId: string): Promise<boolean>
  /**
   * Signs an approved device in; works once, later calls return undefined. If the key then has more than
   * `mostOfKey` sign-ins, the oldest of them end.
   */
  start(deviceCodeHash: string, signIn: NewSignIn, mostOfKey: number): Promise<SignInOwner | undefined>
  find(familyHash: string, nowMs: number): Promise<SignIn | undefined>
  /** False if the refresh token was used in the meantime. */
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
  /** Ends the sign-in: its access tokens are rejected from then on, on every node. */
  end(id: string): Promise<void>
  /** The sign-ins of an account, most recently renewed first: at most 200. */
  listOf(accountId: string, nowMs: number): Promise<SignedInDevice[]>
  /** As `end`, for one or all sign-ins of an account. @returns the keys that they used */
  endOf(accountId: string, id?: string): Promise<string[]>
  /** The sign-in that an access token belongs to, and its key. */
  findByAccess(accessHash: string): Promise<{ id: string; keyId: string } | undefined>
  /**
   * The active, unexpired key that an account has for a program; the newest if there are several. In an
   * organization: this member's key.
   */
  keyFor(
    accountId: string,
    client: SignInClient,
    nowMs: number,
    memberId: string | null,
  ): Promise<string | undefined>
  /** Removes rows that expired before that time. */
  removeExpired(beforeMs: number): Promise<void>
}
