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
      /** `claim`: to set a password for an unverified address. */
      kind: MailedCodePurpose | 'claim'
      to: string
      /** Has the code behind its `#`, so that it is sent to no server, nor to pages linked from there. */
      url: string
      expiresAtMs: number
    }
  /** To the previous address: somebody has requested a change. */
  | { kind: 'changing'; to: string; newEmail: string }

export interface MailedCodesParts {
  users: Pick<ProviderUserStore, 'find' | 'findByEmail'>
  codes: MailedCodeStore
  /** @throws {Error} if the mail server has not accepted it */
  send: (letter: LoginLetter) => Promise<void>
  registration: RegistrationMode
  /** Without a slash at the end. */
  publicUrl: () => string
  /** Unix epoch milliseconds. */
  clock: () => number
  /** Called when background work fails. */
  onFailure: (error: unknown) => void
}

export type MailAsked =
  | { sentTo: string }
  | { waitSeconds: number }
  /** The user has no address that could be verified, or none that mail can be sent to. */
  | { refused: 'nothing-to-verify' | 'not-mailable' }

export type PasswordSet =
  | NewPasswordOf
  | { problem: { field: 'code' | 'new_password'; expected: string } }
  | { waitSeconds: number }

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The pages that the links lead to. */
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
 * How many codes are mailed in 24 hours. Anybody can request a password mail for any address, so each purpose
 * is limited separately. For passwords, one code is always valid or can be requested: otherwise a stranger
 * could lock somebody out.
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
 * Limits mails to unverified addresses, which may belong to strangers. Users and addresses cost nothing to
 * make up, so mails are counted by the network that requests them.
 */
const unverifiedMails = { perNetwork: 60, perSite: 200, windowMs: hourMs }
/** How many mails may be sent in the background at a time. */
const mostUnderWay = 100

/** Lets users of the embedded provider prove by mail that an address is theirs. */
export class MailedCodes {
  readonly #parts: MailedCodesParts
  readonly #cost: PasswordCost
  readonly #byNetwork: Throttle
  readonly #byEmail: Throttle
  readonly #wrongCodes: Throttle
  readonly #unverified: NetworkThrottle
  readonly #underWay = new Set<Promise<void>>()

  /** @param cost of passwords: only tests use less than the default */
  constructor(parts: MailedCodesParts, cost: PasswordCost = defaultCost) {
    const { clock } = parts
    this.#parts = parts
    this.#cost = cost
    this.#byNetwork = new Throttle(forgottenPerNetwork.limit, forgottenPerNetwork.windowMs, clock)
    this.#byEmail = new Throttle(forgottenPerEmail.limit, forgottenPerEmail.windowMs, clock)
    this.#wrongCodes = new Throttle(wrongCodesPerNetwork.limit, wrongCodesPerNetwork.windowMs, clock)
    this.#unverified = new NetworkThrottle(unverifiedMails, clock)
  }

  /** Welcomes a user who has registered from this internet address. Does not wait for the mail server. */
  welcome({ id, emailVerified }: Pick<ProviderUser, 'id' | 'emailVerified'>, address: string): void {
    if (!emailVerified) this.#behind(async () => void (await this.askToVerify(id, address)))
  }

  /**
   * Mails the user a link that verifies their address.
   * @param address the user's internet address
   * @throws {GatewayError} 503 if the mail server has not accepted it
   */
  async askToVerify(userId: string, address: string): Promise<MailAsked> {
    const user = await this.#parts.users.find(userId)
    if (user === undefined || user.email === null || user.emailVerified)
      return { refused: 'nothing-to-verify' }
    const waitSeconds = this.#unverified.take(address)
    return waitSeconds > 0 ? { waitSeconds } : this.#mail(user, 'verify', user.email)
  }

  /**
   * Mails a link to the new address that makes it the user's, and notifies the previous address.
   * @param address the user's internet address
   * @throws {GatewayError} as `askToVerify`
   */
  async askToChange(user: ProviderUser, newEmail: string, address: string): Promise<MailAsked> {
    const waitSeconds = this.#unverified.take(address)
    if (waitSeconds > 0) return { waitSeconds }
    const outcome = await this.#mail(user, 'change', newEmail)
    const { email, emailVerified } = user
    if ('sentTo' in outcome && emailVerified && email !== null)
      this.#behind(() => this.#parts.send({ kind: 'changing', to: email, newEmail }))
    return outcome
  }

  /**
   * Somebody reports a lost password for an address. The address is looked up after the response, so that
   * neither the response nor its timing reveals whether a user has it.
   * @returns 0, or the number of seconds to wait before another request
   */
  requestNewPassword(typed: string, address: string): number {
    const email = canonicalEmail(typed)
    const waitSeconds = this.#byNetwork.take(networkOf(address))
    if (waitSeconds > 0 || !isMailable(email)) return waitSeconds
    const emailWaitSeconds = this.#byEmail.take(email)
    if (emailWaitSeconds === 0) this.#behind(() => this.#mailForPassword(email))
    return emailWaitSeconds
  }

  /** Called when a person who is signed in presses the button on the linked page. */
  prove(code: string, userId: string): Promise<{ email: string } | { refused: ProofRefusal }> {
    return this.#parts.codes.prove(hashLinkCode(code), userId, this.#parts.clock())
  }

  pendingEmail(userId: string): Promise<string | null> {
    return this.#parts.codes.pendingEmail(userId, this.#parts.clock())
  }

  /** Counts a code before the look-up; hashes nothing for a wrong one. @throws {TooManyPasswords} */
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

  /** Resolves when no mail is being sent. */
  async waitUntilIdle(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  async #mailForPassword(email: string): Promise<void> {
    const user = await this.#parts.users.findByEmail(email)
    if (user === undefined) return
    if (user.emailVerified) await this.#mail(user, 'password', email)
    // Unless registration is open, only an invitation creates a new user for an address.
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

  /** Starts the work after the current response has been sent: SQLite runs in the thread that responds. */
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
