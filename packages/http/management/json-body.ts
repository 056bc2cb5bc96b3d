import { createHash } from 'node:crypto'
import { scanWithinBounds, requireFewLevels, requirePlainBody, type JsonBounds } from '@turnpike/gateway'
import { invalidRequest } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import type { ManagementApp } from './management-app.ts'

/** No body is longer than a list of models, or deeper than the tools of a request to auto-routing. */
const bounds: JsonBounds = { values: 50_000, members: 1_000, levels: 200 }

const fingerprints = new WeakMap<FastifyRequest, string>()

/** SHA-256 of the body's bytes: shows whether a retried request is the same. */
export function bodyFingerprint(request: FastifyRequest): string {
  return fingerprints.get(request) ?? ''
}

/** Accepts only JSON; other types are 415. A missing body counts as empty if the operation allows it. */
export function registerJsonBody(app: ManagementApp): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      requirePlainBody(request.headers['content-encoding'])
      fingerprints.set(request, createHash('sha256').update(body).digest('hex'))
      return body.length === 0 ? undefined : parseJson(body)
    },
  )
  app.addHook('preValidation', async (request) => {
    const { operation } = request.routeOptions.config
    if (request.body === undefined && operation?.bodyOptional === true) request.body = {}
  })
}

function parseJson(body: Buffer): unknown {
  const scan = scanWithinBounds(body, bounds)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (cause) {
    throw Object.assign(invalidRequest(undefined, 'The body is not valid UTF-8.'), { cause })
  }
  requireFewLevels(scan, bounds)
  try {
    return JSON.parse(text, keepDecimals)
  } catch (cause) {
    throw Object.assign(invalidRequest(undefined, 'The body is not valid JSON.'), { cause })
  }
}

/**
 * Keeps an amount that is a JSON number as the text in which it was written, so that no float ever holds
 * money: 4503599.627370496001 is not a double.
 */
function keepDecimals(this: unknown, key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || !key.endsWith('_usd')) return value
  const source = context?.source
  return source === undefined || /e/i.test(source) ? value : source
}
