import { createHash } from 'node:crypto'
import type { Claim } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bodyFingerprint } from '../json-body.ts'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'
import { seal, unseal } from './sealed-text.ts'

const headerName = 'idempotency-key'
const headerPattern = /^[\x21-\x7e]{1,255}$/
const retryAfterSeconds = 1
/** Marks a response that was given before. */
export const replayedHeader = 'idempotency-replayed'

/** The request's `Idempotency-Key`. @throws {GatewayError} 400 if it is invalid */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const header = request.headers[headerName]
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !headerPattern.test(header)) {
    throw invalidRequest('Idempotency-Key', '`Idempotency-Key`: expected 1 to 255 visible ASCII characters.')
  }
  return header
}

/** A request whose response will be kept. */
interface Claimed {
  id: string
  claimedAtMs: number
  /** Seals the response: stored nowhere, but known to a caller who repeats the request. */
  secret: string
}

/**
 * Answers a repeated POST with its first response. Keys belong to a caller and a path: two callers that
 * choose the same key never see each other's responses. Only successes are kept: a failed request changed
 * nothing, and may be retried with the same key.
 */
export function registerIdempotency(
  app: ManagementApp,
  services: Pick<ManagementServices, 'idempotency' | 'clock' | 'logger' | 'nodeId'>,
  callerOf: (request: FastifyRequest) => string,
): void {
  const claims = new WeakMap<FastifyRequest, Claimed>()
  const store = services.idempotency

  app.addHook('preHandler', async (request, reply) => {
    const key = request.method === 'POST' ? idempotencyKeyOf(request) : undefined
    if (key === undefined) return
    const secret = JSON.stringify([callerOf(request), request.url, key])
    const id = sha256(secret)
    const claim = await store.claim(id, bodyFingerprint(request), services.clock(), services.nodeId)
    if (claim.state === 'claimed') claims.set(request, { id, secret, claimedAtMs: claim.claimedAtMs })
    else await answerRepeated(claim, secret, reply)
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const claimed = claims.get(request)
    if (claimed === undefined) return
    claims.delete(request)
    const { id, claimedAtMs, secret } = claimed
    const { statusCode: status } = reply
    try {
      if (status < 200 || status > 299) await store.release(id, claimedAtMs)
      else await store.keep(id, claimedAtMs, { status, body: seal(String(payload), secret) })
    } catch (error) {
      // The work is done, so its response must reach the caller even if a later retry will not find it.
      services.logger.error(
        { requestId: request.id, error },
        'A response for an idempotency key could not be stored.',
      )
    }
  })
}

async function answerRepeated(
  claim: Exclude<Claim, { state: 'claimed' }>,
  secret: string,
  reply: FastifyReply,
): Promise<void> {
  switch (claim.state) {
    case 'reused':
      throw new GatewayError('conflict_error', 'This `Idempotency-Key` was already used with another body.', {
        param: 'Idempotency-Key',
      })
    case 'running':
      throw new GatewayError(
        'conflict_error',
        'A request with this `Idempotency-Key` is still being processed.',
        {
          param: 'Idempotency-Key',
          retryAfterSeconds,
        },
      )
    case 'answered':
      await reply
        .code(claim.answer.status)
        .header(replayedHeader, 'true')
        .type('application/json; charset=utf-8')
        .serializer((body: string) => body)
        .send(unseal(claim.answer.body, secret))
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
