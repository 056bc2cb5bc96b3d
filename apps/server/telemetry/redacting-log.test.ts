import { expect, test } from 'vitest'
import { resolveConfiguration } from '../configuration/resolve/resolve.ts'
import { redactingLog } from './redacting-log.ts'

const configuration = resolveConfiguration(
  {
    providers: {
      openai: {
        api_keys: ['a vendor’s key'],
        headers: {
          'CF-Access-Client-Secret': 'plain words of an edge',
          'api-key': 's3cr3t!',
          Authorization: 'Basic b3BzOmh1bnRlcjItaW4tbG9ncw==',
          'x-gateway': 'Token a-token-of-the-proxy',
          'x-tenant': '7',
        },
      },
    },
    redis: { url: 'redis://:of%20redis%21@h' },
    admin: { internal_secret: 'the internal secret of a test' },
  },
  { file: null, directory: '/', environment: {} },
)

const lines: unknown[] = []
const keep = (fields: Record<string, unknown>, message: string) => void lines.push({ fields, message })
let minted = 'the first token that was minted'
const log = redactingLog({ info: keep, warn: keep, error: keep, fatal: keep }, configuration)
log.hide(() => [minted])

test.each([
  ['connect to postgres://me:pass@host/db failed', 'connect to postgres://me:[redacted]@host/db failed'],
  ['refused a vendor’s key', 'refused [redacted]'],
  ['AUTH of redis! and of%20redis%21', 'AUTH [redacted] and [redacted]'],
  ['with the internal secret of a test.', 'with [redacted].'],
  ['Authorization: Bearer abc.def-123456', 'Authorization: [redacted]'],
  ['sent Bearer abc.def-123456', 'sent Bearer [redacted]'],
  ['Incorrect API key sk-proj-abcdefghijkl_123', 'Incorrect API key [redacted]'],
  ['key=AIzaSyA0123456789abcdefghijkl', 'key=[redacted]'],
  ['GET https://h/v1?key=0123&alt=sse', 'GET https://h/v1?key=[redacted]&alt=sse'],
  ['token eyJhbGciOiJ.eyJzdWIiOiIx.c2lnbmF0dXJl', 'token [redacted]'],
  ['the edge refused plain words of an edge', 'the edge refused [redacted]'],
  ['with s3cr3t!, not in as3cr3t!', 'with [redacted], not in as3cr3t!'],
  ['b3BzOmh1bnRlcjItaW4tbG9ncw== is hunter2-in-logs', '[redacted] is [redacted]'],
  ['no a-token-of-the-proxy', 'no [redacted]'],
  ['Bad token: the first token that was minted.', 'Bad token: [redacted].'],
  ['token ya29.c.b0Aaekm1K-x_y', 'token [redacted]'],
  ['keys ASIAIOSFODNN7EXAMPLE of AKIAIOSFODNN7EXAMPLE', 'keys [redacted] of [redacted]'],
  [`SignedHeaders=host, Signature=${'0a'.repeat(32)}`, 'SignedHeaders=host, Signature=[redacted]'],
  ['{"x-amz-security-token":"IQoJb3JpZ2luX2Vj+/="}', '{"x-amz-security-token":"[redacted]"}'],
  ['tenant 7 is one of 17', 'tenant 7 is one of 17'],
  ['key_01kadv2m9yf5x8t3q7w4z6r1bc has none', 'key_01kadv2m9yf5x8t3q7w4z6r1bc has none'],
  ['Basic authentication is not enough', 'Basic authentication is not enough'],
])('%s', (text, written) => {
  lines.length = 0
  log.warn({ error: text, cause: new Error(text), rows: 3, all: [{ text }] }, text)
  const fields = { error: written, cause: `Error: ${written}`, rows: 3, all: [{ text: written }] }
  expect(lines).toEqual([{ fields, message: written }])
})

test('hides secrets that were minted later', () => {
  minted = 'the second token that was minted'
  lines.length = 0
  log.error({}, `refused ${minted}`)
  expect(lines).toEqual([{ fields: {}, message: 'refused [redacted]' }])
})
