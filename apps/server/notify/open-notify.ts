import { WebhookClient, type GatewayLog } from '@turnpike/gateway'
import type { ManagementServices } from '@turnpike/http'
import { NetworkThrottle, type LoginLetter } from '@turnpike/identity'
import {
  confirmationMail,
  ConfirmationCounts,
  DeliveryWorker,
  invitationMail,
  loginMail,
  mailOf,
  type DueDelivery,
  type InvitationWords,
} from '@turnpike/notify'
import { GatewayError } from '@turnpike/protocol'
import type { Storage } from '@turnpike/storage'
import type { Configuration } from '../configuration/configuration.ts'
import { AlertWatch } from './alert-watch.ts'
import { openMailer, type Mailer } from './mailer.ts'
import { WebhookSecrets } from './webhook-secrets.ts'

/**
 * Limits on invitations and confirmations, which may go to strangers' addresses. If everybody may register,
 * accounts and organizations cost nothing, so these mails are also counted by the network of the caller.
 */
const mailsAskedFor = { perNetwork: 200, perSite: 600, windowMs: 24 * 60 * 60 * 1000 }

export interface NotifyParts {
  storage: Storage
  nodeId: string
  log: GatewayLog
  clock: () => number
  /** The address at which callers reach the gateway, without a trailing slash. */
  publicUrl: () => string
}

export interface OpenNotify {
  services: Required<Pick<ManagementServices, 'notifications'>>
  /** Sends a mail about a sign-in. Undefined: there is no mail server. */
  sendLogin: ((letter: LoginLetter) => Promise<void>) | undefined
  watch: AlertWatch
  deliveries: DeliveryWorker
  /** Resolves when it sends and checks nothing any more. */
  stop(): Promise<void>
}

/** Opens the notification of accounts and operators: alert checks, deliveries, and their API. */
export function openNotify(configuration: Configuration, parts: NotifyParts): OpenNotify {
  const { storage, nodeId, log, clock, publicUrl } = parts
  const { mail, webhooks } = configuration
  const client = new WebhookClient(webhooks.allowedNetworks)
  const secrets = new WebhookSecrets(webhooks.encryptionKeys)
  const mailer = mail === null ? undefined : openMailer(mail)
  const logFailure = (message: string) => (error: unknown) => log.warn({ error: String(error) }, message)
  const deliveries = new DeliveryWorker({
    nodeId,
    deliveries: storage.deliveries,
    post: (url, headers, body) => client.post(url, headers, body),
    ...(mailer !== undefined && { mail: (due: DueDelivery) => sendEvent(mailer, due, publicUrl()) }),
    openSecret: (kept, target) => secrets.open(kept, target),
    clock,
    onFailure: logFailure('event deliveries could not be claimed or saved'),
  })
  const watch = new AlertWatch({ storage, clock, onFailure: logFailure('alerts could not be evaluated') })
  return {
    services: {
      notifications: {
        checkUrl: (url) => client.check(url),
        sealSecret: (secret, of) => secrets.seal(secret, of),
        mayAsk: confirmationGuard(),
        mayMailFrom: networkGuard(clock),
        ...(mailer !== undefined && {
          ask: (email: string, path: string) => ask(mailer, email, `${publicUrl()}${path}`),
          invite: (email: string, invitation: InvitationWords) =>
            invite(mailer, email, invitation, logFailure('the email of an invitation was not accepted')),
        }),
      },
    },
    sendLogin: mailer && ((letter) => sendLogin(mailer, letter, publicUrl())),
    watch,
    deliveries,
    async stop() {
      await Promise.all([watch.stop(), deliveries.stop()])
    },
  }
}

function sendEvent(mailer: Mailer, { id, event, recipient }: DueDelivery, publicUrl: string): Promise<void> {
  const messageId = `${id}@${new URL(publicUrl).hostname}`
  return mailer.send({ ...mailOf(event, recipient!, publicUrl), to: recipient!.email, messageId })
}

function sendLogin(mailer: Mailer, letter: LoginLetter, publicUrl: string): Promise<void> {
  const messageId = `${crypto.randomUUID()}@${new URL(publicUrl).hostname}`
  const words = letter.kind === 'changing' ? { ...letter, settingsUrl: `${publicUrl}/settings` } : letter
  return mailer.send({ ...loginMail(words), to: letter.to, messageId })
}

/** If the mail is not accepted, that is logged, and the link can be passed on by hand. */
async function invite(
  mailer: Mailer,
  email: string,
  invitation: InvitationWords,
  onFailure: (error: unknown) => void,
): Promise<boolean> {
  const messageId = `${crypto.randomUUID()}@${new URL(invitation.url).hostname}`
  try {
    await mailer.send({ ...invitationMail(invitation), to: email, messageId })
    return true
  } catch (error) {
    onFailure(error)
    return false
  }
}

/** @throws {GatewayError} 503 if the mail server does not accept it */
async function ask(mailer: Mailer, email: string, url: string): Promise<void> {
  const messageId = `${crypto.randomUUID()}@${new URL(url).hostname}`
  try {
    await mailer.send({ ...confirmationMail(url), to: email, messageId })
  } catch (cause) {
    const message = 'The confirmation email could not be sent. The target stays unconfirmed.'
    throw new GatewayError('service_unavailable', message, { cause, retryAfterSeconds: 60 })
  }
}

function confirmationGuard(): (accountId: string | null, email: string, nowMs: number) => void {
  const counts = new ConfirmationCounts()
  return (accountId, email, nowMs) => {
    const waitMs = counts.count(accountId, email, nowMs)
    if (waitMs === undefined) return
    throw new GatewayError(
      'rate_limit_error',
      'Too many confirmation emails were sent today. Try again tomorrow.',
      {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      },
    )
  }
}

function networkGuard(clock: () => number): (address: string) => void {
  const counts = new NetworkThrottle(mailsAskedFor, clock)
  return (address) => {
    const waitSeconds = counts.take(address)
    if (waitSeconds === 0) return
    const message = 'Too many mails were asked for from your network: wait, or pass links on yourself.'
    throw new GatewayError('rate_limit_error', message, { retryAfterSeconds: waitSeconds })
  }
}
