import { createHash } from 'node:crypto'
import { requirePlainBody } from '@turnpike/gateway'
import { invalidRequest } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import type { ManagementApp } from './management-app.ts'

const fingerprints = new WeakMap<FastifyRequest, string>()

/** SHA-256 of the body's bytes: whether a retried request is the same one. */
export function bodyFingerprint(request: FastifyRequest): string {
  return fingerprints.get(request) ?? ''
}

/** JSON is the only body taken; any other type is 415. No body stands for an empty one where that will do. */
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
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (cause) {
    throw Object.assign(invalidRequest(undefined, 'The body is not valid UTF-8.'), { cause })
  }
  try {
    return JSON.parse(text, keepDecimals)
  } catch (cause) {
    const fault = cause instanceof RangeError ? 'is nested too deeply' : 'is not valid JSON'
    throw Object.assign(invalidRequest(undefined, `The body ${fault}.`), { cause })
  }
}

/**
 * An amount written as a JSON number stays the text it was written as, so that no float ever holds money:
 * 4503599.627370496001 is not a double.
 */
function keepDecimals(this: unknown, key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || !key.endsWith('_usd')) return value
  const source = context?.source
  return source === undefined || /e/i.test(source) ? value : source
}
