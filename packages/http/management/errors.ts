import {
  errorEnvelope,
  errorHeaders,
  GatewayError,
  invalidRequest,
  toGatewayError,
  type ErrorEnvelope,
} from '@turnpike/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerHeaders } from './answers/answer-headers.ts'
import type { ManagementApp } from './management-app.ts'
import type { RouteTable } from './route-table.ts'
import type { ManagementLogger } from './services.ts'
import { unknownPath } from '../unknown-path.ts'

/** Sends every failure, Fastify's own included, in the envelope of docs/contract.md, 2. */
export function registerErrors(app: ManagementApp, routes: RouteTable, logger: ManagementLogger): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...answerHeaders, 'x-request-id': request.id })
    // Checked before the body: an unknown path is 404 whatever was sent to it.
    if (request.is404) throw noRoute(request, routes)
  })
  app.setNotFoundHandler((request) => {
    throw noRoute(request, routes)
  })
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, logger))
}

export function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: ManagementLogger,
): FastifyReply {
  const error = gatewayErrorOf(thrown)
  if (error.status >= 500) logFailure(error, request, logger)
  return reply
    .code(error.status)
    .headers({ ...answerHeaders, 'x-request-id': request.id, ...errorHeaders(error) })
    .type('application/json; charset=utf-8')
    .serializer((body: ErrorEnvelope) => JSON.stringify(body))
    .send(errorEnvelope(error, request.id))
}

function logFailure(error: GatewayError, request: FastifyRequest, logger: ManagementLogger): void {
  const route = request.routeOptions.url ?? null
  logger.error(
    { requestId: request.id, method: request.method, route, status: error.status, detail: error.detail },
    error.message,
  )
}

function noRoute(request: FastifyRequest, routes: RouteTable): GatewayError {
  const methods = routes.methodsAt(request.url)
  if (methods.length === 0) return unknownPath()
  const allow = methods.join(', ')
  return new GatewayError('invalid_request_error', `This path accepts ${allow}, not ${request.method}.`, {
    status: 405,
    headers: { allow },
  })
}

/** Converts any thrown value to an error for the caller. */
export function gatewayErrorOf(thrown: unknown): GatewayError {
  return fromFastify(thrown) ?? toGatewayError(thrown)
}

/** Translates Fastify's errors, whose code our own validation errors share; undefined for others. */
function fromFastify(thrown: unknown): GatewayError | undefined {
  if (thrown instanceof GatewayError) return thrown
  if (!(thrown instanceof Error) || !('code' in thrown) || !('statusCode' in thrown)) return undefined
  const { code, statusCode } = thrown
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new GatewayError(
        'invalid_request_error',
        'The body must be JSON, sent with `content-type: application/json`.',
        { status: 415 },
      )
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new GatewayError('request_too_large', 'The body is larger than this path accepts.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalidRequest(undefined, 'The length of the body does not match its `content-length`.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return unknownPath()
    case 'FST_ERR_BAD_URL':
      return invalidRequest(undefined, 'The path is not a valid percent-encoded URL path.')
    default:
      if (typeof statusCode !== 'number' || statusCode < 400 || statusCode >= 500) return undefined
      return new GatewayError('invalid_request_error', 'The request could not be read.', {
        detail: thrown.message,
        cause: thrown,
      })
  }
}
