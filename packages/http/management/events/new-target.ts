import { canonicalEmail, hashLinkCode, isMailable, newLinkCode } from '@turnpike/identity'
import { nameOfRoles, newSecret, type EventTarget, type ToldRole } from '@turnpike/notify'
import { GatewayError, invalidRequest, newIdentifier } from '@turnpike/protocol'
import { Type } from 'typebox'
import type { ManagementServices } from '../services.ts'
import type { EventOwner } from './scope.ts'
import type { NotificationServices } from './services.ts'

/** Targets per account. */
export const mostTargets = 20
/** How long an address has to confirm. */
export const confirmWithinMs = 7 * 24 * 60 * 60 * 1000
/** The shortest time before an address gets another confirmation mail: three a day. */
const askAgainMs = 8 * 60 * 60 * 1000
export const confirmPath = '/confirm-address'
/** The codes in links of mails. */
export const mailCode = Type.Object({ code: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }) })

export interface WantedTarget {
  kind: 'webhook' | 'mail'
  name?: string
  url?: string
  email?: string
  roles?: readonly ToldRole[]
  types?: readonly string[]
}

export type TargetServices = Pick<ManagementServices, 'eventTargets' | 'clock'> & {
  notifications: NotificationServices
}

/**
 * Creates a target and, if its address is not verified, sends a confirmation mail.
 * @returns with a webhook's secret, which is shown only this once
 * @throws {GatewayError} 400, or 409 if there are too many
 */
export async function createTarget(
  services: TargetServices,
  { accountId, vouchedEmail, hasMembers, askedFrom }: EventOwner,
  request: WantedTarget,
): Promise<{ target: EventTarget; secret: string | null }> {
  const { eventTargets, notifications, clock } = services
  const nowMs = clock()
  if (request.roles !== undefined) requireRoles(request, hasMembers)
  const { url, email, roles, name } =
    request.kind === 'webhook' ? await webhook(notifications, request) : mail(services, request, vouchedEmail)
  const isVouched = email === null || vouchedEmail === '*' || email === vouchedEmail
  const code = isVouched ? null : newLinkCode()
  if (code !== null) {
    if (askedFrom !== null) notifications.mayMailFrom(askedFrom)
    notifications.mayAsk(accountId, email!, nowMs)
  }
  const id = newIdentifier('tgt', nowMs)
  const secret = request.kind === 'webhook' ? newSecret() : null
  const target = await eventTargets.create(
    {
      id,
      accountId,
      kind: request.kind,
      name: request.name ?? name,
      url,
      email,
      roles,
      types: request.types ?? ['*'],
      secret: secret === null ? null : notifications.sealSecret(secret, { id, accountId }),
      status: isVouched ? 'active' : 'unconfirmed',
      confirmHash: code === null ? null : hashLinkCode(code),
    },
    mostTargets,
    nowMs,
  )
  if (target === undefined)
    throw new GatewayError(
      'conflict_error',
      `The limit of ${mostTargets} targets is reached. Delete one first.`,
    )
  if (code !== null) await notifications.ask!(email!, `${confirmPath}/${code}`)
  return { target, secret }
}

/** @throws {GatewayError} 409 if it is already confirmed, 429 if a mail was just sent */
export async function askAgain(
  services: TargetServices,
  { askedFrom }: Pick<EventOwner, 'askedFrom'>,
  target: EventTarget,
): Promise<void> {
  const { eventTargets, notifications, clock } = services
  if (target.status !== 'unconfirmed' || target.email === null)
    throw new GatewayError('conflict_error', 'This target is not waiting for confirmation.')
  if (target.disabledReason !== null)
    throw new GatewayError(
      'conflict_error',
      'The recipient has unsubscribed. Only they can subscribe again, with the link in their last email.',
    )
  requireMail(services)
  const nowMs = clock()
  if (askedFrom !== null) notifications.mayMailFrom(askedFrom)
  notifications.mayAsk(target.accountId, target.email, nowMs)
  const code = newLinkCode()
  if (!(await eventTargets.renewCode(target.id, hashLinkCode(code), nowMs - askAgainMs, nowMs)))
    throw new GatewayError(
      'rate_limit_error',
      'This address was sent a confirmation less than eight hours ago. Try again later.',
      {
        retryAfterSeconds: askAgainMs / 1000,
      },
    )
  await notifications.ask!(target.email, `${confirmPath}/${code}`)
}

/** @throws {GatewayError} 400 */
export async function checkUrl(
  notifications: NotificationServices,
  text: string | undefined,
): Promise<string> {
  const url = text === undefined ? null : URL.parse(text)
  if (url === null) throw invalidRequest('url', '`url`: expected the https URL of a webhook.')
  url.hash = ''
  try {
    await notifications.checkUrl(url.href)
  } catch (error) {
    throw invalidRequest('url', `\`url\`: this URL cannot be called: ${(error as Error).message}.`)
  }
  return url.href
}

interface Address {
  url: string | null
  email: string | null
  roles: readonly ToldRole[] | null
  name: string
}

async function webhook(notifications: NotificationServices, request: WantedTarget): Promise<Address> {
  if (request.email !== undefined) throw invalidRequest('email', '`email`: not available for webhooks.')
  const url = await checkUrl(notifications, request.url)
  return { url, email: null, roles: null, name: new URL(url).hostname }
}

function mail(services: TargetServices, request: WantedTarget, vouchedEmail: string | null): Address {
  if (request.url !== undefined) throw invalidRequest('url', '`url`: not available for mail.')
  requireMail(services)
  const { roles } = request
  if (roles !== undefined) return { url: null, email: null, roles, name: nameOfRoles(roles) }
  const own = vouchedEmail === '*' ? null : vouchedEmail
  const email = request.email === undefined ? own : canonicalEmail(request.email)
  if (email === null) throw invalidRequest('email', "`email`: expected the recipient's email address.")
  requireMailable(email)
  return { url: null, email, roles: null, name: email }
}

/** @throws {GatewayError} 400 */
export function requireMailable(email: string): void {
  if (!isMailable(email))
    throw invalidRequest('email', '`email`: expected one that mail can be sent to: without `,`, `;`, quotes.')
}

/** @throws {GatewayError} 400 */
function requireRoles({ kind, email }: WantedTarget, hasMembers: boolean): void {
  if (kind === 'webhook') throw invalidRequest('roles', '`roles`: not available for webhooks.')
  if (email !== undefined)
    throw invalidRequest('roles', '`roles`: expected either `roles` or `email`, not both.')
  if (!hasMembers) throw invalidRequest('roles', '`roles`: only organizations have members with roles.')
}

function requireMail({ notifications }: TargetServices): void {
  if (notifications.ask === undefined)
    throw invalidRequest(
      'kind',
      '`kind`: this gateway cannot send mail, since its operator has not configured a mail server.',
    )
}
