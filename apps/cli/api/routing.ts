import type { Message, RouteDecision } from '@turnpike/api'
import type { Context } from '../context.ts'
import { askAsUser } from './user-api.ts'

/** What auto-routing would do with these messages. Calls no model. */
export function routeFor(
  context: Context,
  { model = 'turnpike/auto', messages }: { model?: string | undefined; messages: Message[] },
): Promise<RouteDecision> {
  return askAsUser<RouteDecision>(context, {
    method: 'POST',
    path: '/api/v1/route',
    body: { model, messages },
  })
}
