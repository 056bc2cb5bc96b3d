import { newIdentifier } from '@turnpike/protocol'
import { canonicalEmail, isEmail } from '../../callers/email-address.ts'
import { hashInviteCode } from './invite-code.ts'
import { networkOf } from '../throttles/network.ts'
import {
  defaultCost,
  hashPassword,
  isOutdated,
  isPassword,
  isPasswordOfFairLength,
  passwordLength,
  type PasswordCost,
} from './password.ts'
import type { ProviderUser, ProviderUserStore } from '../stores.ts'
import { Throttle } from '../throttles/throttle.ts'

/** Who may create an account: everybody, nobody, or people with an invitation. */
export type RegistrationMode = 'open' | 'closed' | 'invite'

export interface RegistrationRules {
  registration: RegistrationMode
  /** Domains whose addresses may register, in lower case; empty: any. */
  allowedEmailDomains: readonly string[]
  /** Whether an address is, or could be mistaken for, an operator's. */
  isOperatorAddress: (email: string) => boolean
}

export type SignInResult = { user: ProviderUser } | { problem: 'wrong' } | { waitSeconds: number }

export interface SignUpInput {
  email: string
  name: string
  password: string
  inviteCode: string
}

export type SignUpField = 'email' | 'password' | 'invite_code'

export type SignUpResult =
  | { user: ProviderUser }
  | { problems: Partial<Record<SignUpField, string>> }
  | { waitSeconds: number }

const minuteMs = 60_000
const attemptsPerAddress = { limit: 30, windowMs: 15 * minuteMs }
const attemptsPerAccount = { limit: 10, windowMs: 15 * minuteMs }
const signUpsPerAddress = { limit: 20, windowMs: 60 * minuteMs }
const maxNameLength = 100

const problemsOfRefusal = {
  'email-taken': { email: 'An account with this email already exists. Sign in instead.' },
  'invite-unknown': {
    invite_code: 'This invitation does not exist, was used, has expired, or is for another email.',
  },
  'invite-without-secret': {
    invite_code:
      'This email belongs to an operator, so its invitation must be created with the internal secret.',
  },
} satisfies Record<string, Partial<Record<SignUpField, string>>>

/** Checks passwords and creates users. */
export class SignIn {
  readonly #users: ProviderUserStore
  readonly #rules: RegistrationRules
  readonly #clock: () => number
  readonly #cost: PasswordCost
  readonly #byAddress: Throttle
  readonly #byAccount: Throttle
  readonly #signUps: Throttle

  /** @param cost of passwords: only tests use less than the default */
  constructor(
    users: ProviderUserStore,
    rules: RegistrationRules,
    clock: () => number,
    cost: PasswordCost = defaultCost,
  ) {
    this.#cost = cost
    this.#users = users
    this.#rules = rules
    this.#clock = clock
    this.#byAddress = new Throttle(attemptsPerAddress.limit, attemptsPerAddress.windowMs, clock)
    this.#byAccount = new Throttle(attemptsPerAccount.limit, attemptsPerAccount.windowMs, clock)
    this.#signUps = new Throttle(signUpsPerAddress.limit, signUpsPerAddress.windowMs, clock)
  }

  get registration(): RegistrationMode {
    return this.#rules.registration
  }

  /**
   * Finds the user with this email and password. A wrong password and an unknown email take equally long and
   * get the same result. Both are counted before the password is checked.
   * @throws {TooManyPasswords}
   */
  async signIn(email: string, password: string, address: string): Promise<SignInResult> {
    const account = canonicalEmail(email)
    const network = networkOf(address)
    const waitSeconds = this.#byAddress.take(network)
    if (waitSeconds > 0) return { waitSeconds }
    if (!isEmail(account)) return { problem: 'wrong' }
    const accountWaitSeconds = this.#byAccount.take(account)
    if (accountWaitSeconds > 0) return { waitSeconds: accountWaitSeconds }
    const user = await this.#users.findByEmail(account)
    // Anything longer cannot be a password, and is not worth hashing.
    const candidate = isPasswordOfFairLength(password) ? password : ''
    if (!(await isPassword(candidate, user?.passwordHash, this.#cost)) || user === undefined)
      return { problem: 'wrong' }
    this.#byAddress.giveBack(network)
    this.#byAccount.clear(account)
    if (isOutdated(user.passwordHash, this.#cost)) {
      const renewed = await hashPassword(password, this.#cost)
      await this.#users.replacePasswordHash(user.id, user.passwordHash, renewed)
    }
    return { user }
  }

  /**
   * Creates a user, if the rules allow it. A second invitation for an address gives a new password to the
   * user who got the address by the first.
   * @throws {TooManyPasswords}
   */
  async signUp(input: SignUpInput, address: string): Promise<SignUpResult> {
    const email = canonicalEmail(input.email)
    const problems = this.#problemsOf(email, input)
    if (Object.keys(problems).length > 0) return { problems }
    const waitSeconds = this.#signUps.take(networkOf(address))
    if (waitSeconds > 0) return { waitSeconds }
    const nowMs = this.#clock()
    const invitation =
      input.inviteCode.trim() === ''
        ? undefined
        : { codeHash: hashInviteCode(input.inviteCode), isForOperator: this.#rules.isOperatorAddress(email) }
    const name = Array.from(input.name.trim()).slice(0, maxNameLength).join('')
    const made = await this.#users.create(
      {
        id: newIdentifier('usr', nowMs),
        email,
        name: name === '' ? null : name,
        passwordHash: await hashPassword(input.password, this.#cost),
      },
      invitation,
      nowMs,
    )
    return 'user' in made ? made : { problems: problemsOfRefusal[made.refused] }
  }

  #problemsOf(email: string, input: SignUpInput): Partial<Record<SignUpField, string>> {
    const { registration, allowedEmailDomains: domains } = this.#rules
    const problems: Partial<Record<SignUpField, string>> = {}
    if (!isEmail(email)) problems.email = 'Enter an email address, such as name@example.com.'
    else if (domains.length > 0 && !domains.includes(email.slice(email.lastIndexOf('@') + 1)))
      problems.email = `Only addresses at ${domains.join(', ')} can register.`
    if (!isPasswordOfFairLength(input.password))
      problems.password = `Use ${passwordLength.min} to ${passwordLength.max} characters.`
    if (registration === 'invite' && input.inviteCode.trim() === '')
      problems.invite_code = 'Enter your invitation code.'
    return problems
  }
}
