import {
  networkOf,
  signInClients,
  siteOf,
  Throttle,
  type DeviceTokens,
  type SignInClient,
} from '@turnpike/identity'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { gatewayErrorOf } from '../errors.ts'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'
import type { DeviceSignInServices } from './services.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
/** Forms have only a few short fields. */
const form = { bodyLimit: 16 * 1024 }
const windowMs = 600_000
/** Requests for codes; each creates a row in the database. */
const startsPerNetwork = 200
/** For a whole customer: a /48 has 65,536 networks. */
const startsPerSite = 1_000
/** Codes and tokens have 256 bits, so this only protects the database. */
const wrongPerNetwork = 100

/** The paths that Claude Code uses when it cannot use those of the metadata: it has them built in. */
export const oauthPaths = {
  metadata: '/.well-known/oauth-authorization-server',
  device: '/oauth/device_authorization',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
} as const

const text = Type.String()
const texts = Type.Array(text)
const metadataSchema = Type.Object({
  issuer: text,
  device_authorization_endpoint: text,
  token_endpoint: text,
  revocation_endpoint: text,
  grant_types_supported: texts,
  response_types_supported: texts,
  token_endpoint_auth_methods_supported: texts,
  revocation_endpoint_auth_methods_supported: texts,
  gateway_protocol_version: Type.Integer(),
})
const seconds = Type.Integer({ description: 'In seconds.' })
const codesSchema = Type.Object({
  device_code: text,
  user_code: text,
  verification_uri: text,
  expires_in: seconds,
  interval: seconds,
})
const tokensSchema = Type.Object({
  access_token: text,
  token_type: Type.Literal('Bearer'),
  expires_in: seconds,
  refresh_token: text,
  email: Type.Optional(text),
})

/** An error in OAuth's format (RFC 6749, section 5.2). */
class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: string
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(code: string, message: string, status = 400, retryAfterSeconds?: number) {
    super(message)
    this.code = code
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * How Claude Code signs in, version 1 of its gateway protocol
 * (https://code.claude.com/docs/en/claude-apps-gateway): a device authorization grant (RFC 8628) whose access
 * tokens are credentials for `/v1/*`. It sends neither a client nor a scope; other parameters are ignored
 * (RFC 6749, section 3.2).
 */
export function registerDeviceOAuth(
  app: ManagementApp,
  { publicUrl, signIns, approvalPath }: DeviceSignInServices,
  services: Pick<ManagementServices, 'callerAddress' | 'clock' | 'logger'>,
): void {
  const starts = new Throttle(startsPerNetwork, windowMs, () => services.clock())
  const startsOfSites = new Throttle(startsPerSite, windowMs, () => services.clock())
  const wrong = new Throttle(wrongPerNetwork, windowMs, () => services.clock())
  const addressOf = (request: FastifyRequest): string => services.callerAddress?.(request.raw) ?? request.ip
  readForms(app)
  app.setErrorHandler((error, request, reply) => sendOAuthError(error, request, reply, services))

  app.get(oauthPaths.metadata, { schema: { response: { 200: metadataSchema } } }, () =>
    metadataOf(publicUrl()),
  )

  app.post(oauthPaths.device, { ...form, schema: { response: { 200: codesSchema } } }, async (request) => {
    const address = addressOf(request)
    const site = siteOf(address)
    if (site !== undefined) requireRoom(startsOfSites.take(site))
    requireRoom(starts.take(networkOf(address)))
    const codes = await signIns.begin(clientOf(request), address)
    return {
      device_code: codes.deviceCode,
      user_code: codes.userCode,
      // Does not include the code: a person who got such a link from a stranger would approve a sign-in that
      // they did not begin.
      verification_uri: publicUrl() + approvalPath,
      expires_in: codes.expiresInSeconds,
      interval: codes.intervalSeconds,
    }
  })

  app.post(oauthPaths.token, { ...form, schema: { response: { 200: tokensSchema } } }, async (request) => {
    const network = networkOf(addressOf(request))
    requireRoom(wrong.take(network))
    const answer = await tokensFor(request, signIns)
    if (answer !== 'invalid_grant') wrong.giveBack(network)
    if (typeof answer !== 'string') return tokenAnswer(answer)
    throw refusals[answer]()
  })

  app.post(
    oauthPaths.revocation,
    { ...form, schema: { response: { 200: Type.Object({}) } } },
    async (request, reply) => {
      const network = networkOf(addressOf(request))
      requireRoom(wrong.take(network))
      if (await signIns.revoke(requireField(request, 'token'))) wrong.giveBack(network)
      return reply.code(200).send({})
    },
  )
}

async function tokensFor(request: FastifyRequest, signIns: DeviceSignInServices['signIns']) {
  const grant = requireField(request, 'grant_type')
  if (grant === deviceGrant) return signIns.poll(requireField(request, 'device_code'))
  if (grant === 'refresh_token') return signIns.refresh(requireField(request, 'refresh_token'))
  throw new OAuthError('unsupported_grant_type', `grant_type: expected ${deviceGrant} or refresh_token.`)
}

function metadataOf(issuer: string) {
  return {
    issuer,
    device_authorization_endpoint: issuer + oauthPaths.device,
    token_endpoint: issuer + oauthPaths.token,
    revocation_endpoint: issuer + oauthPaths.revocation,
    grant_types_supported: [deviceGrant, 'refresh_token'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    gateway_protocol_version: 1,
  }
}

function tokenAnswer({ accessToken, refreshToken, expiresInSeconds, email }: DeviceTokens) {
  return {
    access_token: accessToken,
    token_type: 'Bearer' as const,
    expires_in: expiresInSeconds,
    refresh_token: refreshToken,
    ...(email !== null && { email }),
  }
}

const refusals = {
  authorization_pending: () => new OAuthError('authorization_pending', 'The code has not been approved yet.'),
  slow_down: () => new OAuthError('slow_down', 'Increase the polling interval by 5 seconds.'),
  access_denied: () => new OAuthError('access_denied', 'The sign-in was declined.'),
  expired_token: () => new OAuthError('expired_token', 'The code has expired. Start again.'),
  // On 401, Claude Code starts a new sign-in.
  invalid_grant: () => new OAuthError('invalid_grant', 'The sign-in is no longer valid. Sign in again.', 401),
}

function requireRoom(waitSeconds: number): void {
  if (waitSeconds === 0) return
  const message = `Too many attempts from your network. Try again in ${waitSeconds} seconds.`
  throw new OAuthError('slow_down', message, 429, waitSeconds)
}

/** Older versions of Claude Code identify themselves only in `User-Agent`. */
function clientOf(request: FastifyRequest): SignInClient {
  const surface = fieldOf(request, 'surface')
  if (surface !== undefined)
    return surface !== 'other' && Object.hasOwn(signInClients, surface) ? (surface as SignInClient) : 'other'
  return request.headers['user-agent']?.startsWith('claude-code/') === true ? 'claude_code' : 'other'
}

/** Parses the form; a field that occurs twice counts as missing (RFC 6749, section 3.2). */
function readForms(app: ManagementApp): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, body: string) => new URLSearchParams(body),
  )
}

function fieldOf({ body }: FastifyRequest, name: string): string | undefined {
  if (!(body instanceof URLSearchParams)) return undefined
  const values = body.getAll(name)
  if (values.length > 1) throw new OAuthError('invalid_request', `${name}: expected exactly one value.`)
  return values[0] === '' ? undefined : values[0]
}

function requireField(request: FastifyRequest, name: string): string {
  const value = fieldOf(request, name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing in the form.`)
  return value
}

function sendOAuthError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { logger }: Pick<ManagementServices, 'logger'>,
): FastifyReply {
  const error = thrown instanceof OAuthError ? thrown : oauthErrorOf(thrown, request, logger)
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
  return reply.code(error.status).send({ error: error.code, error_description: error.message })
}

function oauthErrorOf(
  thrown: unknown,
  request: FastifyRequest,
  logger: ManagementServices['logger'],
): OAuthError {
  const { status, message, retryAfterSeconds, detail } = gatewayErrorOf(thrown)
  if (status < 500)
    return new OAuthError('invalid_request', status === 415 ? 'The body must be a form.' : message, status)
  logger.error({ requestId: request.id, status, detail }, message)
  const code = status === 503 ? 'temporarily_unavailable' : 'server_error'
  return new OAuthError(code, message, status, retryAfterSeconds)
}
