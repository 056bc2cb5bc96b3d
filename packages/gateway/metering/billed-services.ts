import { unpricedServices } from '@turnpike/billing'
import type { Usage } from '@turnpike/protocol'
import type { Held } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { tierAsked } from './services-asked.ts'

/**
 * The usage with what is known of the services that the vendor bills: its tier is the one that the answer
 * names, or else the one that was asked for; what has no price is marked, and told to the operator, who pays.
 */
export function withServices(usage: Usage, request: Held, gateway: Gateway): Usage {
  const { provider, prices, chat, record, model } = request
  const asked = usage.serviceTier === undefined ? tierAsked(chat.request.extensions, provider) : undefined
  const counted = asked === undefined ? usage : { ...usage, serviceTier: asked }
  const unpriced = unpricedServices(counted, prices)
  if (unpriced.length === 0) return counted
  const fields = { requestId: record.id, provider: provider.name, model: model.id, unpriced }
  gateway.log.warn(fields, 'a vendor bills something that has no price here')
  return { ...counted, unpriced }
}
