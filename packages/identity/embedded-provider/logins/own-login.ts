import { canonicalEmail, isEmail } from '../../callers/email-address.ts'
import type { MailAsked, MailedCodes } from './mailed-codes.ts'
import { networkOf } from '../throttles/network.ts'
import {
  defaultCost,
  hashPassword,
  isPassword,
  isPasswordOfFairLength,
  passwordLength,
  type PasswordCost,
} from './password.ts'
import type { RegistrationRules } from './sign-in.ts'
import type { ProviderUser, ProviderUserStore } from '../stores.ts'
import { Throttle } from '../throttles/throttle.ts'

const minuteMs = 60_000
const attemptsPerUser = { limit: 10, windowMs: 15 * minuteMs }
/** Limits requests that reveal whether an address belongs to a user. */
const emailsPerUser = { limit: 10, windowMs: 60 * minuteMs }
const attemptsPerAddress = { limit: 30, windowMs: 15 * minuteMs }

/** A user who is signed in and has typed their current password. */
export interface OwnPassword {
  userId: string
  currentPassword: string
  /** The user's internet address. */
  address: string
}

export type OwnLoginField = 'current_password' | 'new_password' | 'email'

export type OwnLoginResult =
  | { done: true }
  /** The address becomes the user's once they open the link that was mailed to it. */
  | { pendingEmail: string }
  | { problem: { field: OwnLoginField; expected: string } }
  | { waitSeconds: number }

type Refused = Extract<OwnLoginResult, { problem: unknown } | { waitSeconds: number }>

const wrongPassword = problem('current_password', 'this password is incorrect.')
const done = { done: true } as const

/** Lets users change their own login. Every change requires the password: a token alone changes nothing. */
export class OwnLogin {
  readonly #users: ProviderUserStore
  readonly #rules: Pick<RegistrationRules, 'registration' | 'allowedEmailDomains'>
  readonly #cost: PasswordCost
  readonly #mailed: Pick<MailedCodes, 'askToChange'> | undefined
  readonly #byUser: Throttle
  readonly #byAddress: Throttle
  readonly #emails: Throttle

  /**
   * @param mailed undefined: no mail is sent, and a new address is accepted unverified
   * @param cost of passwords: only tests use less than the default
   */
  constructor(
    users: ProviderUserStore,
    rules: Pick<RegistrationRules, 'registration' | 'allowedEmailDomains'>,
    clock: () => number,
    mailed?: Pick<MailedCodes, 'askToChange'>,
    cost: PasswordCost = defaultCost,
  ) {
    this.#mailed = mailed
    this.#users = users
    this.#rules = rules
    this.#cost = cost
    this.#byUser = new Throttle(attemptsPerUser.limit, attemptsPerUser.windowMs, clock)
    this.#byAddress = new Throttle(attemptsPerAddress.limit, attemptsPerAddress.windowMs, clock)
    this.#emails = new Throttle(emailsPerUser.limit, emailsPerUser.windowMs, clock)
  }

  /** Unless registration is open, only the operator assigns addresses. */
  get mayChangeEmail(): boolean {
    return this.#rules.registration === 'open'
  }

  /**
   * Ends every other login of the user.
   * @param keptSessionId the session that makes the change; undefined: it ends too
   * @throws {TooManyPasswords}
   */
  async changePassword(
    own: OwnPassword,
    newPassword: string,
    keptSessionId: string | undefined,
  ): Promise<OwnLoginResult> {
    if (!isPasswordOfFairLength(newPassword))
      return problem('new_password', `expected ${passwordLength.min} to ${passwordLength.max} characters.`)
    if (newPassword === own.currentPassword)
      return problem('new_password', 'expected a password that differs from the current one.')
    const user = await this.#withPassword(own)
    if ('problem' in user || 'waitSeconds' in user) return user
    const { passwordHash: from } = user
    const to = await hashPassword(newPassword, this.#cost)
    const isChanged = await this.#users.changePassword(own.userId, { from, to, keptSessionId })
    // A simultaneous change was faster, so the typed password is no longer the current one.
    return isChanged ? done : wrongPassword
  }

  /**
   * If mail can be sent, the address stays until the new one is verified; until then nobody learns whether
   * the new one is already somebody's.
   * @throws {TooManyPasswords}
   * @throws {GatewayError} 503 if the mail server has not accepted it
   */
  async changeEmail(own: OwnPassword, typed: string): Promise<OwnLoginResult> {
    const email = canonicalEmail(typed)
    const domains = this.#rules.allowedEmailDomains
    if (!isEmail(email)) return problem('email', 'expected an email address, such as name@example.com.')
    if (domains.length > 0 && !domains.includes(email.slice(email.lastIndexOf('@') + 1)))
      return problem('email', `expected an address at ${domains.join(', ')}.`)
    const user = await this.#withPassword(own)
    if ('problem' in user || 'waitSeconds' in user) return user
    if (user.email === email) return done
    const waitSeconds = this.#emails.take(own.userId)
    if (waitSeconds > 0) return { waitSeconds }
    if (this.#mailed !== undefined) return pendingOf(await this.#mailed.askToChange(user, email, own.address))
    return (await this.#users.changeEmail(own.userId, email))
      ? done
      : problem('email', 'another account already has this email.')
  }

  /**
   * The user, if the password is theirs. The attempt is counted before the password is checked, so that
   * simultaneous attempts count too.
   */
  async #withPassword({ userId, currentPassword, address }: OwnPassword): Promise<ProviderUser | Refused> {
    const network = networkOf(address)
    const waitSeconds = this.#byUser.take(userId) || this.#byAddress.take(network)
    if (waitSeconds > 0) return { waitSeconds }
    const user = await this.#users.find(userId)
    // Anything longer cannot be a password, and is not worth hashing.
    const candidate = isPasswordOfFairLength(currentPassword) ? currentPassword : ''
    const isRight = await isPassword(candidate, user?.passwordHash, this.#cost)
    if (!isRight || user === undefined) return wrongPassword
    this.#byUser.clear(userId)
    this.#byAddress.giveBack(network)
    return user
  }
}

function pendingOf(outcome: MailAsked): OwnLoginResult {
  if ('sentTo' in outcome) return { pendingEmail: outcome.sentTo }
  if ('waitSeconds' in outcome) return outcome
  return problem('email', 'expected an email address that can receive mail.')
}

function problem(field: OwnLoginField, expected: string) {
  return { problem: { field, expected } }
}
