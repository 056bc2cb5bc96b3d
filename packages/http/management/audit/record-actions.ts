import type { AuditActor, AuditEntry } from '@turnpike/identity'
import type { FastifyRequest } from 'fastify'
import { replayedHeader } from '../idempotency/replay.ts'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'
import { actionDetails } from './details.ts'
import { leftOutDetails, Refusals } from './refusals.ts'

/** Who acts, as far as the credential tells. */
export interface Actor {
  actor: AuditActor
  subject: string | null
  /** The account that acts; null for an operator, who names one in the path. */
  accountId: string | null
  /** The account of the person, where they act for another one. */
  onBehalfOf?: string | undefined
  /** The program that acts for the user, where it is not the user's own. */
  via?: string | undefined
}

/**
 * Writes each action of this app's routes into the audit log, before it is answered: whoever has the answer
 * finds the entry. Where the log cannot be written, the action is done all the same, and the entry is in the
 * node's own log. Requests without a valid credential are nobody's actions, and of an account's that are
 * refused so many are written an hour.
 */
export function registerAudit(
  app: ManagementApp,
  services: Pick<ManagementServices, 'audit' | 'callerAddress' | 'clock' | 'logger'>,
  actorOf: (request: FastifyRequest) => Actor | undefined,
): void {
  const made = new WeakMap<FastifyRequest, string>()
  const refusals = new Refusals()
  const addresses = new WeakMap<FastifyRequest, string>()

  const addressOf = (request: FastifyRequest): string => services.callerAddress?.(request.raw) ?? request.ip

  // Now: the connection of a caller who has left tells no address.
  app.addHook('onRequest', async (request) => {
    addresses.set(request, addressOf(request))
  })

  app.addHook('preSerialization', async (request, _reply, payload: unknown) => {
    const id = identifierIn(payload)
    if (id !== undefined) made.set(request, id)
    return payload
  })

  app.addHook('onSend', async (request, reply) => {
    const operation = request.routeOptions.config.operation
    const actor = operation?.audited && actorOf(request)
    // What is answered a second time was done before.
    if (!operation || !actor || reply.hasHeader(replayedHeader)) return
    const { account_id: named, ...further } = request.params as Record<string, string | undefined>
    // A code that is typed in, as a device's, is no identifier.
    const within = Object.entries(further).find(([name]) => name.endsWith('_id'))?.[1]
    const madeId = made.get(request)
    const status = reply.statusCode
    // Operators are few, and trusted; anybody may have an account.
    // Of each person for themselves: one member's refusals leave no other one's out.
    const refused = actor.onBehalfOf ?? actor.accountId
    const refusal = status < 400 || refused === null ? undefined : refusals.count(refused, services.clock())
    if (refusal === 'left_out') return
    const entry: AuditEntry = {
      requestId: request.id,
      atMs: services.clock(),
      actor: actor.actor,
      subject: actor.subject,
      action: operation.action,
      accountId: actor.accountId ?? named ?? accountIn(madeId),
      target: within ?? madeId ?? named ?? actor.accountId,
      status,
      details:
        status < 400
          ? actionDetails(operation.personal ? undefined : request.body, actor.via)
          : refusal === 'last'
            ? leftOutDetails
            : null,
      address: addresses.get(request) ?? addressOf(request),
      ...(actor.onBehalfOf !== undefined && { onBehalfOf: actor.onBehalfOf }),
    }
    try {
      await services.audit.append(entry)
    } catch (error) {
      services.logger.error({ ...entry, error }, 'An action could not be written to the audit log.')
    }
  })
}

/** What was made or changed: the identifier in its own answer. */
function identifierIn(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  const { id, session_id: sessionId, key } = answer as { id?: unknown; session_id?: unknown; key?: unknown }
  const keyId = (key as { id?: unknown } | null | undefined)?.id
  return [id, sessionId, keyId].find((one) => typeof one === 'string')
}

function accountIn(madeId: string | undefined): string | null {
  return madeId?.startsWith('acct_') === true ? madeId : null
}
