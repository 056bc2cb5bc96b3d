import { createVerify } from 'node:crypto'
import { CloudServer, endOf, type CloudAnswer, type CloudFault, type CloudRequest } from './cloud-server.ts'

/**
 * All endpoints of Google that issue access tokens: the metadata server, the token endpoint of service
 * accounts, the exchange for workload identities, and the one for impersonated service accounts.
 * https://cloud.google.com/compute/docs/access/authenticate-workloads
 * https://developers.google.com/identity/protocols/oauth2/service-account#httprest
 */
export class GoogleIdentityServer {
  readonly server = new CloudServer((request, fault) => this.#answer(request, fault))
  /** Public key, in PEM, of the service account whose assertions are accepted. */
  publicKey = ''
  /** If set, the token endpoint returns this instead of a token. */
  refusal: { error: string; error_description: string } | undefined
  #given = 0

  #answer(request: CloudRequest, fault: CloudFault | undefined): CloudAnswer {
    const { path, body } = request
    if (path.startsWith('/computeMetadata/v1')) return this.#metadata(path, fault)
    if (this.refusal !== undefined) return { status: 400, body: JSON.stringify(this.refusal) }
    if (path === '/token') {
      const assertion = new URLSearchParams(body).get('assertion') ?? ''
      if (!this.#isSigned(assertion)) return { status: 400, body: '{"error":"invalid_grant"}' }
      return json(this.#token(fault, 'service-account'))
    }
    if (path === '/v1/token')
      return json({
        ...this.#token(fault, 'workload'),
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      })
    if (path.endsWith(':generateAccessToken'))
      return json({
        accessToken: this.#token(fault, 'impersonated').access_token,
        expireTime: new Date(endOf(fault)).toISOString(),
      })
    return { status: 404, body: '{}' }
  }

  #metadata(path: string, fault: CloudFault | undefined): CloudAnswer {
    const headers = { 'metadata-flavor': 'Google' }
    if (path.includes('/token')) return { ...json(this.#token(fault, 'metadata')), headers }
    if (path.includes('universe-domain')) return { type: 'text/plain', body: 'googleapis.com', headers }
    return { type: 'text/plain', body: 'a-project', headers }
  }

  #token(fault: CloudFault | undefined, of: string) {
    return {
      access_token: `ya29.${of}-${++this.#given}`,
      expires_in: fault === 'ended' ? -3_600 : 3_600,
      token_type: 'Bearer',
    }
  }

  #isSigned(assertion: string): boolean {
    const [head, claims, signature = ''] = assertion.split('.')
    const verify = createVerify('RSA-SHA256').update(`${head}.${claims}`)
    return verify.verify(this.publicKey, signature, 'base64url')
  }
}

function json(value: object): CloudAnswer {
  return { body: JSON.stringify(value) }
}
