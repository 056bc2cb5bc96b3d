import { constants, createVerify, type KeyObject, type X509Certificate } from 'node:crypto'
import { CloudServer, endOf, type CloudAnswer, type CloudFault, type CloudRequest } from './cloud-server.ts'

const grant = 'client_credentials'

/**
 * Microsoft Entra's token endpoint for applications, which authenticate by a secret or by an assertion signed
 * with a certificate.
 * https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow
 */
export class EntraTokenServer {
  readonly server = new CloudServer((request, fault) => this.#answer(request, fault))
  /** Secrets that are currently valid. */
  secrets: string[] = []
  /** The certificate whose assertions are accepted; undefined: none. */
  certificate: X509Certificate | undefined
  /** Accepted tokens of a workload's own issuer. */
  workloads: string[] = []
  #given = 0
  /** Its own clock, unaffected if a test replaces its client's clock. */
  readonly #now = Date.now

  #answer({ path, body, method }: CloudRequest, fault: CloudFault | undefined): CloudAnswer {
    const [, tenant = '', ...rest] = new URL(path, this.server.origin).pathname.split('/')
    if (method === 'GET') return { body: JSON.stringify(metadata(tenant)) }
    if (rest.join('/') !== 'oauth2/v2.0/token') return { status: 404, body: '{}' }
    const form = new URLSearchParams(body)
    if (form.get('grant_type') !== grant) return refusal('AADSTS70003: The grant type is not supported.')
    const problem = this.#problemOf(form, tenant)
    if (problem !== undefined) return refusal(problem)
    const seconds = fault === 'ended' ? -3_600 : Math.floor((endOf(fault) - Date.now()) / 1_000)
    const token = { token_type: 'Bearer', expires_in: seconds, ext_expires_in: seconds }
    return { body: JSON.stringify({ ...token, access_token: `entra-application-${++this.#given}` }) }
  }

  #problemOf(form: URLSearchParams, tenant: string): string | undefined {
    const assertion = form.get('client_assertion')
    if (assertion === null)
      return this.secrets.includes(form.get('client_secret') ?? '')
        ? undefined
        : 'AADSTS7000215: Invalid client secret provided. Trace ID: 1'
    if (this.workloads.includes(assertion)) return undefined
    return this.#problemOfAssertion(assertion, form.get('client_id') ?? '', tenant)
  }

  #problemOfAssertion(assertion: string, client: string, tenant: string): string | undefined {
    const [head = '', claims = '', signature = ''] = assertion.split('.')
    const { certificate } = this
    if (certificate === undefined || !isSigned(`${head}.${claims}`, signature, head, certificate.publicKey))
      return 'AADSTS700027: The certificate of the client assertion is not registered.'
    const { aud, iss, sub, exp } = decoded(claims)
    if (Number(exp) * 1_000 < this.#now())
      return 'AADSTS700024: Client assertion is not within its valid time range.'
    if (iss !== client || sub !== client || !String(aud).includes(tenant))
      return 'AADSTS700021: Client assertion is not of this application.'
    return undefined
  }
}

function isSigned(text: string, signature: string, head: string, key: KeyObject): boolean {
  const { alg } = decoded(head)
  const padding = alg === 'PS256' ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING
  return createVerify('RSA-SHA256').update(text).verify({ key, padding }, signature, 'base64url')
}

function decoded(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
}

function refusal(description: string): CloudAnswer {
  const [code] = /\d+/.exec(description)!
  const body = { error: 'invalid_client', error_description: description, error_codes: [Number(code)] }
  return { status: 401, body: JSON.stringify(body) }
}

function metadata(tenant: string): object {
  const authority = `https://login.microsoftonline.com/${tenant}`
  return {
    tenant_discovery_endpoint: `${authority}/v2.0/.well-known/openid-configuration`,
    'api-version': '1.1',
    metadata: [
      {
        preferred_network: 'login.microsoftonline.com',
        preferred_cache: 'login.windows.net',
        aliases: ['login.microsoftonline.com', 'login.windows.net'],
      },
    ],
    token_endpoint: `${authority}/oauth2/v2.0/token`,
    authorization_endpoint: `${authority}/oauth2/v2.0/authorize`,
    issuer: `${authority}/v2.0`,
    jwks_uri: `${authority}/discovery/v2.0/keys`,
  }
}
