import type { IncomingMessage, ServerResponse } from 'node:http'
import { mcpScopeNames } from '../mcp-access/scopes.ts'
import { BadForm, readBody } from '../embedded-provider/provider-request.ts'
import { ClientRefused, providerClient, readClient } from './client-metadata.ts'
import { newClientId } from './registered-client.ts'

export interface RegistrationContext {
  /** Secrets that sign registrations, newest first. */
  secrets: readonly string[]
  ownOrigins: readonly string[]
  /** Unix epoch milliseconds. */
  clock: () => number
  /** Counts a registration. Returns 0 if it is allowed, else the seconds until the next one is. */
  takeTurn: () => number
}

interface Answer {
  status: number
  body: Record<string, unknown>
  headers?: Record<string, string>
}

/** Web applications register too; no cookie matters here. */
const crossOrigin = { 'access-control-allow-origin': '*' }
const preflight = {
  ...crossOrigin,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': '*',
  'access-control-max-age': '3600',
}

/**
 * Dynamic registration of MCP clients, open to everybody (RFC 7591). The result is a public client that may
 * request MCP's scopes only, whatever it asks for here.
 */
export async function serveRegistration(
  context: RegistrationContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'OPTIONS') {
    response.writeHead(204, preflight).end()
    return
  }
  const { status, body, headers } = await answerOf(context, request)
  const text = JSON.stringify(body)
  response.writeHead(status, {
    ...crossOrigin,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}

async function answerOf(context: RegistrationContext, request: IncomingMessage): Promise<Answer> {
  if (request.method !== 'POST') {
    const refusal = errorAnswer('invalid_request', 'expected POST.', 405)
    return { ...refusal, headers: { allow: 'POST, OPTIONS' } }
  }
  const waitSeconds = context.takeTurn()
  if (waitSeconds > 0) {
    const message = `Too many registrations from your network. Try again in ${waitSeconds} seconds.`
    const headers = { 'retry-after': String(waitSeconds) }
    return { ...errorAnswer('temporarily_unavailable', message, 429), headers }
  }
  try {
    return register(context, await readMetadata(request))
  } catch (error) {
    if (error instanceof ClientRefused) return errorAnswer(error.problem, error.message)
    if (error instanceof BadForm) return errorAnswer('invalid_client_metadata', `${error.message}.`)
    throw error
  }
}

function register(context: RegistrationContext, metadata: Record<string, unknown>): Answer {
  const client = readClient(metadata, context.ownOrigins)
  const id = newClientId(client, context.secrets)
  return {
    status: 201,
    body: {
      ...providerClient(id, client),
      client_id_issued_at: Math.floor(context.clock() / 1000),
      scope: mcpScopeNames.join(' '),
    },
  }
}

/** @throws {BadForm} */
async function readMetadata(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new BadForm('expected a JSON object, with content-type application/json')
  const text = (await readBody(request)).toString('utf8')
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new BadForm('expected a JSON object')
}

function errorAnswer(error: string, description: string, status = 400): Answer {
  return { status, body: { error, error_description: description } }
}
