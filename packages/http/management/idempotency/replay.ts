import { createHash } from 'node:crypto'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bodyFingerprint } from '../json-body.ts'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'
import type { IdempotencyStore } from './idempotency-store.ts'

const headerName = 'idempotency-key'
const headerPattern = /^[\x21-\x7e]{1,255}$/
const retryAfterSeconds = 1

/** The request's `Idempotency-Key`. @throws {GatewayError} 400 where it is none */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const header = request.headers[headerName]
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !headerPattern.test(header)) {
    throw invalidRequest('Idempotency-Key', '`Idempotency-Key`: expected 1 to 255 visible ASCII characters.')
  }
  return header
}

/**
 * Answers a repeated POST with what was answered first. Keys belong to a caller and a path: two callers
 * that choose the same one never see each other's answers. Only successes are kept: what failed changed
 * nothing, and may be tried again with the same key.
 */
export function registerIdempotency(
  app: ManagementApp,
  store: IdempotencyStore,
  services: Pick<ManagementServices, 'clock' | 'logger'>,
  callerOf: (request: FastifyRequest) => string,
): void {
  const claimed = new WeakMap<FastifyRequest, string>()

  app.addHook('preHandler', async (request, reply) => {
    const key = request.method === 'POST' ? idempotencyKeyOf(request) : undefined
    if (key === undefined) return
    const id = sha256(JSON.stringify([callerOf(request), request.url, key]))
    const claim = await store.claim(id, bodyFingerprint(request), services.clock())
    if (claim.state === 'claimed') claimed.set(request, id)
    else await answerRepeated(claim, reply)
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const id = claimed.get(request)
    if (id === undefined) return
    claimed.delete(request)
    const succeeded = reply.statusCode >= 200 && reply.statusCode < 300
    try {
      if (succeeded) await store.keep(id, { status: reply.statusCode, body: String(payload) })
      else await store.release(id)
    } catch (error) {
      // The work is done: its answer must reach the caller, also where a later retry will not find it.
      services.logger.error({ requestId: request.id, error }, 'An idempotent answer could not be kept.')
    }
  })
}

async function answerRepeated(
  claim: Exclude<Awaited<ReturnType<IdempotencyStore['claim']>>, { state: 'claimed' }>,
  reply: FastifyReply,
): Promise<void> {
  switch (claim.state) {
    case 'reused':
      throw new GatewayError('conflict_error', 'This `Idempotency-Key` was used with another body.', {
        param: 'Idempotency-Key',
      })
    case 'running':
      throw new GatewayError('conflict_error', 'A request with this `Idempotency-Key` is being handled.', {
        param: 'Idempotency-Key',
        retryAfterSeconds,
      })
    case 'answered':
      await reply
        .code(claim.answer.status)
        .header('idempotency-replayed', 'true')
        .type('application/json; charset=utf-8')
        .serializer((body: string) => body)
        .send(claim.answer.body)
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
