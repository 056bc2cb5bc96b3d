import {
  checkoutResultPath,
  maxPayTokenLength,
  payPath,
  payPollPath,
  topupStatusOf,
  type PayLink,
  type PayLinks,
} from '@turnpike/billing'
import { html, networkOf, Throttle } from '@turnpike/identity'
import { GatewayError } from '@turnpike/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'
import { sendPage } from './pages/frame.ts'
import type { PayLinkServices } from './services.ts'
import { notFound, requireFound } from '../not-found.ts'

type Services = Pick<ManagementServices, 'accounts' | 'apiKeys' | 'clock' | 'callerAddress' | 'flushUsage'>

const windowMs = 60_000
/** A link is opened by a person, and by programs that preview it. */
const opensPerLink = 10
const opensPerNetwork = 60
/** Once a second, with room for several agents. */
const pollsPerLink = 120
const pollsPerNetwork = 600

const params = Type.Object({ token: Type.String({ maxLength: maxPayTokenLength }) })

export const payLinkStatusSchema = Type.Object(
  {
    object: Type.Literal('topup_link'),
    status: Type.Enum(['open', 'paid', 'expired'], {
      description: '`open`: not paid yet. `paid`: the credit was added, so retry the request.',
    }),
    paid: Type.Boolean(),
    balance_covers: Type.Boolean({ description: 'Whether the credit now covers the refused request.' }),
  },
  { title: 'TopupLink' },
)

/** `/pay/<token>`: redirects to the link's checkout, and creates it if necessary. A page for people. */
export function registerPayPage(
  app: ManagementApp,
  { links, checkouts }: PayLinkServices,
  services: Services,
): void {
  const check = createThrottle(services, { perLink: opensPerLink, perNetwork: opensPerNetwork })
  app.get(`${payPath}/:token`, { schema: { params } }, async (request, reply) => {
    check(request, request.params.token)
    const link = requireLink(links, request.params.token)
    if (link.expiresAtMs <= services.clock()) return sendExpired(reply)
    await requireActive(services, link)
    const topup = await checkouts.open(link, await balanceOf(services, link))
    const { checkout } = topup
    const isPayable = topupStatusOf(topup) === 'open' && checkout !== null && checkout.url !== null
    const address = isPayable ? checkout.url! : `${checkoutResultPath}/${topup.id}`
    return reply.header('cache-control', 'no-store').redirect(address, 303)
  })
}

/** The state of a link, for the program whose request was refused. It reveals no balance and no amount. */
export function registerPayPoll(
  app: ManagementApp,
  { links, checkouts }: PayLinkServices,
  services: Services,
): void {
  const check = createThrottle(services, { perLink: pollsPerLink, perNetwork: pollsPerNetwork })
  app.get(
    `${payPollPath}/:token`,
    { schema: { params, response: { 200: payLinkStatusSchema } } },
    async (request, reply) => {
      check(request, request.params.token)
      const link = requireLink(links, request.params.token)
      await services.flushUsage()
      const status = await checkouts.statusOf(link)
      const covers = (await balanceOf(services, link)) >= link.neededPico
      reply.header('cache-control', 'no-store')
      return { object: 'topup_link' as const, status, paid: status === 'paid', balance_covers: covers }
    },
  )
}

function createThrottle(
  { clock, callerAddress }: Services,
  { perLink, perNetwork }: { perLink: number; perNetwork: number },
): (request: FastifyRequest, token: string) => void {
  const ofLink = new Throttle(perLink, windowMs, () => clock())
  const ofNetwork = new Throttle(perNetwork, windowMs, () => clock())
  return (request, token) => {
    const address = callerAddress?.(request.raw) ?? request.ip
    const waitSeconds = Math.max(ofNetwork.take(networkOf(address)), ofLink.take(token))
    if (waitSeconds === 0) return
    const message = `Too many requests for this link. Try again in ${waitSeconds} seconds.`
    throw new GatewayError('rate_limit_error', message, { retryAfterSeconds: waitSeconds })
  }
}

function requireLink(links: PayLinks, token: string): PayLink {
  return requireFound(links.read(token), 'Link')
}

async function requireActive({ accounts }: Services, { accountId }: PayLink): Promise<void> {
  const account = await accounts.find(accountId)
  if (account?.status !== 'active') throw notFound('Link')
}

/** The balance of the key that pays; of all the account's keys if that key has no credit of its own. */
async function balanceOf({ accounts, apiKeys }: Services, { accountId, keyId }: PayLink): Promise<bigint> {
  const key = keyId === null ? undefined : await apiKeys.find(accountId, keyId)
  return key?.balancePico ?? (await accounts.find(accountId))?.balancePico ?? 0n
}

function sendExpired(reply: FastifyReply): FastifyReply {
  const body = html`<p>Checkout links last an hour. Send the refused request again to get a new link.</p>`
  return sendPage(reply, 410, 'This link has expired', body)
}
