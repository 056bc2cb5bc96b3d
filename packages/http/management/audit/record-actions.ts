import type { AuditActor, AuditEntry } from '@turnpike/identity'
import type { FastifyRequest } from 'fastify'
import { replayedHeader } from '../idempotency/replay.ts'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'
import { actionDetails } from './details.ts'
import { leftOutDetails, Refusals } from './refusals.ts'

/** The actor, as far as the credential identifies them. */
export interface Actor {
  actor: AuditActor
  subject: string | null
  /** The account that acts; null for an operator, who names an account in the path. */
  accountId: string | null
  /** The person's own account, if they act for another one. */
  onBehalfOf?: string | undefined
  /** The program that acts for the user; absent if it is the user's own client. */
  via?: string | undefined
}

/**
 * Records each action of this app's routes in the audit log before the response is sent, so a caller who has
 * the response finds the entry. If the log cannot be written, the action still happens, and the entry goes to
 * the node's own log. Requests without a valid credential are not recorded, and only a limited number of an
 * account's refused requests per hour are.
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

  // Read now: after the caller has left, the connection has no address.
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
    // A repeated response belongs to an earlier action.
    if (!operation || !actor || reply.hasHeader(replayedHeader)) return
    const { account_id: named, ...further } = request.params as Record<string, string | undefined>
    // A code that people type, such as a device's, is not an identifier.
    const within = Object.entries(further).find(([name]) => name.endsWith('_id'))?.[1]
    const madeId = made.get(request)
    const status = reply.statusCode
    // Operators are few and trusted, but anybody may have an account. Refusals are counted per person, so
    // that one member's do not crowd out another's.
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

/** The identifier of what was created or changed, from the response. */
function identifierIn(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  const { id, session_id: sessionId, key } = answer as { id?: unknown; session_id?: unknown; key?: unknown }
  const keyId = (key as { id?: unknown } | null | undefined)?.id
  return [id, sessionId, keyId].find((one) => typeof one === 'string')
}

function accountIn(madeId: string | undefined): string | null {
  return madeId?.startsWith('acct_') === true ? madeId : null
}
