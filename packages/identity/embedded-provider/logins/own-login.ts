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
/** Each tells whether somebody has an address. */
const emailsPerUser = { limit: 10, windowMs: 60 * minuteMs }
const attemptsPerAddress = { limit: 30, windowMs: 15 * minuteMs }

/** Somebody who is signed in, and has typed their password. */
export interface OwnPassword {
  userId: string
  currentPassword: string
  /** Where they are. */
  address: string
}

export type OwnLoginField = 'current_password' | 'new_password' | 'email'

export type OwnLoginResult =
  | { done: true }
  /** The address is theirs once a link is opened that was mailed to it. */
  | { pendingEmail: string }
  | { problem: { field: OwnLoginField; expected: string } }
  | { waitSeconds: number }

type Refused = Extract<OwnLoginResult, { problem: unknown } | { waitSeconds: number }>

const wrongPassword = problem('current_password', 'this password is incorrect.')
const done = { done: true } as const

/** What people change of their own login, each with their password: a token alone changes nothing. */
export class OwnLogin {
  readonly #users: ProviderUserStore
  readonly #rules: Pick<RegistrationRules, 'registration' | 'allowedEmailDomains'>
  readonly #cost: PasswordCost
  readonly #mailed: Pick<MailedCodes, 'askToChange'> | undefined
  readonly #byUser: Throttle
  readonly #byAddress: Throttle
  readonly #emails: Throttle

  /**
   * @param mailed undefined: no mail is sent, and a new address is what its user says
   * @param cost of passwords: less than the default is for tests alone
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

  /** Where not everybody may register, an address is the operator's to give. */
  get mayChangeEmail(): boolean {
    return this.#rules.registration === 'open'
  }

  /**
   * Ends every other login of the user.
   * @param keptSessionId of who changes it; undefined: theirs ends too
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
    // Another one was faster, and what was typed is the current one no more.
    return isChanged ? done : wrongPassword
  }

  /**
   * Where mail is sent, the address stays what it is until the other one has shown to be theirs; whether that
   * one is somebody's already is told to nobody before.
   * @throws {TooManyPasswords}
   * @throws {GatewayError} 503 where the mail server has not taken it
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

  /** The user, where the password is theirs. Counted before it is looked at, so that many at once are too. */
  async #withPassword({ userId, currentPassword, address }: OwnPassword): Promise<ProviderUser | Refused> {
    const network = networkOf(address)
    const waitSeconds = this.#byUser.take(userId) || this.#byAddress.take(network)
    if (waitSeconds > 0) return { waitSeconds }
    const user = await this.#users.find(userId)
    // What is longer cannot be a password, and shall not be a workload.
    const candidate = isPasswordOfFairLength(currentPassword) ? currentPassword : ''
    const isRight = await isPassword(candidate, user?.passwordHash, this.#cost)
    if (!isRight || user === undefined) return wrongPassword
    this.#byUser.clear(userId)
    this.#byAddress.giveBack(network)
    return user
  }
}

function pendingOf(asked: MailAsked): OwnLoginResult {
  if ('sentTo' in asked) return { pendingEmail: asked.sentTo }
  if ('waitSeconds' in asked) return asked
  return problem('email', 'expected an email address that can receive mail.')
}

function problem(field: OwnLoginField, expected: string) {
  return { problem: { field, expected } }
}
