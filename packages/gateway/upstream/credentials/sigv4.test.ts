import { canonicalPath, checkSignature } from '@turnpike/simulators/clouds/signature-check'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SignableRequest } from './credential.ts'
import { signV4 } from './sigv4.ts'
import suite from './testing/sigv4-suite.json' with { type: 'json' }

const { keys, origin, region, service } = suite
const atMs = Date.parse(suite.at)

/** Some of the suite's cases sign more headers than we do. */
const all = (): boolean => true

describe('AWS’s signing test suite', () => {
  it.each(suite.cases)('$name', async ({ method, path, headers, body, sessionToken, signature }) => {
    const request = { method, origin, path, headers, body: Buffer.from(body) } as unknown as SignableRequest
    const own = sessionToken === undefined ? keys : { ...keys, sessionToken }
    const signed = await signV4(request, own, { region, service, atMs }, all)
    expect(signed['authorization']).toMatch(new RegExp(`Signature=${signature}$`))
    expect(signed['x-amz-security-token']).toBe(sessionToken)
  })
})

const bedrock = 'https://bedrock-runtime.us-east-1.amazonaws.com'
const scope = { region: 'us-east-1', service: 'bedrock', atMs }
const host = new URL(bedrock).host

async function refusalOf(request: SignableRequest, sessionToken?: string) {
  const own = sessionToken === undefined ? keys : { ...keys, sessionToken }
  const proof = await signV4(request, own, scope)
  const headers = { ...request.headers, host, ...proof }
  const secretOf = (id: string, token?: string) =>
    id === keys.accessKeyId && token === sessionToken ? keys.secretAccessKey : undefined
  return checkSignature({ ...request, headers, body: request.body ?? '' }, secretOf, atMs)
}

describe('calls to Bedrock', () => {
  it.each([
    [
      'anthropic.claude-sonnet-4-5-20250929-v1:0',
      '/model/anthropic.claude-sonnet-4-5-20250929-v1%253A0/invoke',
    ],
    [
      'arn:aws:bedrock:us-east-1:1:inference-profile/us.nova-v1:0',
      '/model/arn%253Aaws%253Abedrock%253Aus-east-1%253A1%253Ainference-profile%252Fus.nova-v1%253A0/invoke',
    ],
    ["a model's (odd) name*!", '/model/a%2520model%27s%2520%28odd%29%2520name%2A%21/invoke'],
  ])('are signed for the path of %s, encoded twice', async (model, path) => {
    const sent = `/model/${encodeURIComponent(model)}/invoke`
    expect(canonicalPath(sent)).toBe(path)
    const headers = { 'content-type': 'application/json' }
    const request: SignableRequest = {
      method: 'POST',
      origin: bedrock,
      path: sent,
      headers,
      body: Buffer.from('{}'),
    }
    expect(await refusalOf(request)).toBeUndefined()
  })

  it('sign what AWS reads, and nothing that a proxy changes', async () => {
    const headers = {
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'turnpike/0.1',
      'x-client-request-id': 'req_1',
      'x-amzn-bedrock-guardrailidentifier': 'g',
    }
    const request: SignableRequest = { method: 'POST', origin: bedrock, path: '/x', headers, body: null }
    const proof = await signV4(request, { ...keys, sessionToken: 't' }, scope)
    expect(proof['authorization']).toContain(
      'SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amzn-bedrock-guardrailidentifier,',
    )
    expect(Object.keys(proof)).toEqual(['authorization', 'x-amz-date', 'x-amz-security-token'])
    expect(request.headers).toBe(headers)
  })

  it('match an independent implementation for any path, headers, body and token', async () => {
    const segment = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })
    const text = fc.stringMatching(/^[!-~]([ -~]{0,40}[!-~])?$/)
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { minLength: 1, maxLength: 4 }),
        fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/), fc.stringMatching(/^[\w.:/@ -]{0,20}$/), {
          maxKeys: 3,
        }),
        fc.dictionary(fc.stringMatching(/^x-amzn?-[a-y]{1,12}$/), text, { maxKeys: 3 }),
        fc.uint8Array({ maxLength: 4_096 }),
        fc.option(fc.stringMatching(/^[\w+/=]{8,400}$/), { nil: undefined }),
        async (segments, query, own, bytes, token) => {
          const search = new URLSearchParams(query).toString().replaceAll('+', '%20')
          const route = `/model/${segments
            .filter((one) => one.isWellFormed())
            .map(encodeURIComponent)
            .join('/x/')}`
          const path = (search === '' ? route : `${route}?${search}`).replaceAll(
            /\/\.{1,2}(?=[/?]|$)/g,
            '/dot',
          )
          const headers = { 'content-type': 'application/json', ...own }
          const request = {
            method: 'POST',
            origin: bedrock,
            path,
            headers,
            body: Buffer.from(bytes),
          } as const
          expect(await refusalOf(request, token)).toBeUndefined()
        },
      ),
      { numRuns: 100 },
    )
  })
})
