import { setImmediate as whenAnswered } from 'node:timers/promises'
import { GatewayError, newIdentifier } from '@turnpike/protocol'
import { canonicalEmail, isMailable } from '../../callers/email-address.ts'
import { hashLinkCode, newLinkCode } from '../../callers/link-code.ts'
import { networkOf } from '../throttles/network.ts'
import { NetworkThrottle } from '../throttles/network-throttle.ts'
import {
  defaultCost,
  hashPassword,
  isPasswordOfFairLength,
  passwordLength,
  type PasswordCost,
} from './password.ts'
import type { RegistrationMode } from './sign-in.ts'
import type {
  MailedCodeLimits,
  MailedCodePurpose,
  MailedCodeStore,
  NewPasswordOf,
  ProofRefusal,
  ProviderUser,
  ProviderUserStore,
} from '../stores.ts'
import { Throttle } from '../throttles/throttle.ts'

/** A mail to somebody who signs in at the embedded provider. */
export type LoginLetter =
  | {
      /** `claim`: for a password of an address that nobody has verified. */
      kind: MailedCodePurpose | 'claim'
      to: string
      /** With the code behind its `#`, where no server and no page that is linked from there is told it. */
      url: string
      expiresAtMs: number
    }
  /** To the address of until now: somebody has asked for another one. */
  | { kind: 'changing'; to: string; newEmail: string }

export interface MailedCodesParts {
  users: Pick<ProviderUserStore, 'find' | 'findByEmail'>
  codes: MailedCodeStore
  /** @throws {Error} the mail server has not taken it */
  send: (letter: LoginLetter) => Promise<void>
  registration: RegistrationMode
  /** Without a slash at the end. */
  publicUrl: () => string
  /** Unix epoch milliseconds. */
  clock: () => number
  /** What nobody waits for has failed. */
  onFailure: (error: unknown) => void
}

export type MailAsked =
  | { sentTo: string }
  | { waitSeconds: number }
  /** There is no address that could be verified, or none that mail can be sent to. */
  | { refused: 'nothing-to-verify' | 'not-mailable' }

export type PasswordSet =
  | NewPasswordOf
  | { problem: { field: 'code' | 'new_password'; expected: string } }
  | { waitSeconds: number }

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Where the pages are that the links lead to. */
export const mailedCodePages: Readonly<Record<MailedCodePurpose, string>> = {
  verify: '/verify-email',
  change: '/verify-email',
  password: '/new-password',
}
const lifetimesMs: Readonly<Record<MailedCodePurpose, number>> = {
  verify: 24 * hourMs,
  change: 24 * hourMs,
  password: hourMs,
}
/**
 * In 24 hours. Anybody may ask for a password of any address: so these do not use the others up, and one is
 * always good or may be had, or a stranger could keep somebody from theirs.
 */
const limits: Readonly<Record<MailedCodePurpose, MailedCodeLimits>> = {
  verify: { toAddress: 3, ofUser: 10 },
  change: { toAddress: 3, ofUser: 10 },
  password: { toAddress: 10, ofUser: 10, thenEveryMs: lifetimesMs.password },
}
const forgottenPerNetwork = { limit: 20, windowMs: hourMs }
const forgottenPerEmail = { limit: 3, windowMs: hourMs }
const wrongCodesPerNetwork = { limit: 20, windowMs: 10 * minuteMs }
/**
 * Mails to addresses that nobody has verified: they may be strangers'. Users and addresses cost nothing, so
 * they are counted by where they are asked for.
 */
const unverifiedMails = { perNetwork: 60, perSite: 200, windowMs: hourMs }
/** Letters that nobody waits for. */
const mostUnderWay = 100

/** Proves by mail whose an address is, at the embedded provider. */
export class MailedCodes {
  readonly #parts: MailedCodesParts
  readonly #cost: PasswordCost
  readonly #byNetwork: Throttle
  readonly #byEmail: Throttle
  readonly #wrongCodes: Throttle
  readonly #unverified: NetworkThrottle
  readonly #underWay = new Set<Promise<void>>()

  /** @param cost of passwords: less than the default is for tests alone */
  constructor(parts: MailedCodesParts, cost: PasswordCost = defaultCost) {
    const { clock } = parts
    this.#parts = parts
    this.#cost = cost
    this.#byNetwork = new Throttle(forgottenPerNetwork.limit, forgottenPerNetwork.windowMs, clock)
    this.#byEmail = new Throttle(forgottenPerEmail.limit, forgottenPerEmail.windowMs, clock)
    this.#wrongCodes = new Throttle(wrongCodesPerNetwork.limit, wrongCodesPerNetwork.windowMs, clock)
    this.#unverified = new NetworkThrottle(unverifiedMails, clock)
  }

  /** Somebody has registered, from this internet address. They do not wait for the mail server. */
  welcome({ id, emailVerified }: Pick<ProviderUser, 'id' | 'emailVerified'>, address: string): void {
    if (!emailVerified) this.#behind(async () => void (await this.askToVerify(id, address)))
  }

  /**
   * Mails the user a link that shows that their address is theirs.
   * @param address where they are
   * @throws {GatewayError} 503 where the mail server has not taken it
   */
  async askToVerify(userId: string, address: string): Promise<MailAsked> {
    const user = await this.#parts.users.find(userId)
    if (user === undefined || user.email === null || user.emailVerified)
      return { refused: 'nothing-to-verify' }
    const waitSeconds = this.#unverified.take(address)
    return waitSeconds > 0 ? { waitSeconds } : this.#mail(user, 'verify', user.email)
  }

  /**
   * Mails the new address a link that makes it the user's, and tells the one of until now.
   * @param address where they are
   * @throws {GatewayError} as `askToVerify`
   */
  async askToChange(user: ProviderUser, newEmail: string, address: string): Promise<MailAsked> {
    const waitSeconds = this.#unverified.take(address)
    if (waitSeconds > 0) return { waitSeconds }
    const asked = await this.#mail(user, 'change', newEmail)
    const { email, emailVerified } = user
    if ('sentTo' in asked && emailVerified && email !== null)
      this.#behind(() => this.#parts.send({ kind: 'changing', to: email, newEmail }))
    return asked
  }

  /**
   * Somebody says that they have lost the password of an address. Whether anybody has it is looked at behind
   * the answer, so that neither what is answered nor when tells it.
   * @returns 0, or the seconds until they may ask again
   */
  requestNewPassword(typed: string, address: string): number {
    const email = canonicalEmail(typed)
    const waitSeconds = this.#byNetwork.take(networkOf(address))
    if (waitSeconds > 0 || !isMailable(email)) return waitSeconds
    const emailWaitSeconds = this.#byEmail.take(email)
    if (emailWaitSeconds === 0) this.#behind(() => this.#mailForPassword(email))
    return emailWaitSeconds
  }

  /** A person who is signed in presses the button of the page that the link leads to. */
  prove(code: string, userId: string): Promise<{ email: string } | { refused: ProofRefusal }> {
    return this.#parts.codes.prove(hashLinkCode(code), userId, this.#parts.clock())
  }

  pendingEmail(userId: string): Promise<string | null> {
    return this.#parts.codes.pendingEmail(userId, this.#parts.clock())
  }

  /**
   * Wrong codes are counted before they are looked up, and nothing is hashed for them.
   * @throws {TooManyPasswords}
   */
  async setPassword(code: string, newPassword: string, address: string): Promise<PasswordSet> {
    const { codes, clock } = this.#parts
    if (!isPasswordOfFairLength(newPassword))
      return problem('new_password', `expected ${passwordLength.min} to ${passwordLength.max} characters.`)
    const network = networkOf(address)
    const waitSeconds = this.#wrongCodes.take(network)
    if (waitSeconds > 0) return { waitSeconds }
    const codeHash = hashLinkCode(code)
    if (!(await codes.maySetPassword(codeHash, clock()))) return uselessCode
    this.#wrongCodes.giveBack(network)
    const passwordHash = await hashPassword(newPassword, this.#cost)
    const newUserId = newIdentifier('usr', clock())
    return (await codes.setPassword(codeHash, { newUserId, passwordHash }, clock())) ?? uselessCode
  }

  /** Resolves when no letter is under way. */
  async waitUntilIdle(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  async #mailForPassword(email: string): Promise<void> {
    const user = await this.#parts.users.findByEmail(email)
    if (user === undefined) return
    if (user.emailVerified) await this.#mail(user, 'password', email)
    // Where not everybody may register, a new user of an address is made by an invitation alone.
    else if (this.#parts.registration === 'open') await this.#mail(user, 'password', email, 'claim')
  }

  async #mail(
    { id: userId, loginGeneration }: Pick<ProviderUser, 'id' | 'loginGeneration'>,
    purpose: MailedCodePurpose,
    email: string,
    kind: LoginLetter['kind'] & (MailedCodePurpose | 'claim') = purpose,
  ): Promise<MailAsked> {
    if (!isMailable(email)) return { refused: 'not-mailable' }
    const { codes, send, publicUrl, clock } = this.#parts
    const code = newLinkCode()
    const codeHash = hashLinkCode(code)
    const nowMs = clock()
    const expiresAtMs = nowMs + lifetimesMs[purpose]
    const waitSeconds = await codes.add(
      { codeHash, userId, purpose, email, loginGeneration, createdAtMs: nowMs, expiresAtMs },
      limits[purpose],
    )
    if (waitSeconds > 0) return { waitSeconds }
    try {
      await send({ kind, to: email, url: `${publicUrl()}${mailedCodePages[purpose]}#${code}`, expiresAtMs })
    } catch (cause) {
      await codes.remove(codeHash)
      const message = 'The email could not be sent. Try again in a minute.'
      throw new GatewayError('service_unavailable', message, { cause, retryAfterSeconds: 60 })
    }
    return { sentTo: email }
  }

  /** Begins when what is answered now has gone out: SQLite works in the thread that answers. */
  #behind(work: () => Promise<void>): void {
    const { onFailure } = this.#parts
    if (this.#underWay.size >= mostUnderWay) return onFailure(new Error('too many emails are being sent'))
    const running: Promise<void> = whenAnswered()
      .then(work)
      .catch(onFailure)
      .finally(() => this.#underWay.delete(running))
    this.#underWay.add(running)
  }
}

const uselessCode = problem(
  'code',
  'expected a link that is unused and less than an hour old. Request a new one.',
)

function problem(field: 'code' | 'new_password', expected: string) {
  return { problem: { field, expected } }
}
