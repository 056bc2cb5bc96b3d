import { PageClient, type SeenPage } from './page-client.ts'
import { confirmDevice, signUp } from './sign-in.ts'

export interface Tokens {
  access_token: string
  refresh_token: string
  id_token: string
}

export interface Answer {
  status: number
  body: Record<string, unknown>
}

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

async function post(url: string, fields: Record<string, string>): Promise<Answer> {
  const form = new URLSearchParams({ client_id: 'turnpike', ...fields })
  const answer = await fetch(url, { method: 'POST', body: form })
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}

/** Begins a device's sign-in, before anybody has confirmed it. */
export async function beginDevice(origin: string): Promise<{ userCode: string; deviceCode: string }> {
  const { body } = await post(`${origin}/oidc/device/auth`, {})
  return { userCode: String(body['user_code']), deviceCode: String(body['device_code']) }
}

export function poll(origin: string, deviceCode: string): Promise<Answer> {
  return post(`${origin}/oidc/token`, { grant_type: deviceGrant, device_code: deviceCode })
}

export function refresh(origin: string, refreshToken: string): Promise<Answer> {
  return post(`${origin}/oidc/token`, { grant_type: 'refresh_token', refresh_token: refreshToken })
}

/** The example of RFC 7636, appendix B. */
const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

export const nativeRedirectUri = 'http://127.0.0.1:5000/callback'

/** The address to which an app sends a browser that returns with a code. */
export function authorizationUrl(origin: string, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    client_id: 'turnpike',
    response_type: 'code',
    redirect_uri: nativeRedirectUri,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    scope: 'openid email',
    ...more,
  })
  return `${origin}/oidc/auth?${query.toString()}`
}

export function exchangeCode(origin: string, code: string, redirectUri: string): Promise<Answer> {
  const fields = { code, redirect_uri: redirectUri, code_verifier: codeVerifier }
  return post(`${origin}/oidc/token`, { grant_type: 'authorization_code', ...fields })
}

/** A browser with a new address: registrations are counted by address, and the node trusts its proxy. */
function newVisitor(): PageClient {
  const [third, fourth] = [Math.floor(Math.random() * 256), Math.floor(Math.random() * 256)]
  return new PageClient({ 'x-forwarded-for': `198.18.${third}.${fourth}` })
}

/** Signs up in a browser with a device's code. The resulting page shows whether that succeeded. */
export async function signUpByDevice(
  origin: string,
  fields: Record<string, string>,
  client = newVisitor(),
): Promise<{ page: SeenPage; deviceCode: string }> {
  const { userCode, deviceCode } = await beginDevice(origin)
  const page = await signUp(client, await confirmDevice(client, origin, userCode), fields)
  return { page, deviceCode }
}

/** Like `signUpByDevice`, but throws if it fails. */
export async function loginByDevice(
  origin: string,
  fields: Record<string, string>,
  client = newVisitor(),
): Promise<Tokens> {
  const { page, deviceCode } = await signUpByDevice(origin, fields, client)
  if (page.title !== 'Device connected') throw new Error(`${page.title}: ${page.text}`)
  const { status, body } = await poll(origin, deviceCode)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body as unknown as Tokens
}

/** Calls one of the gateway's own endpoints with a user's token. */
export async function callAs(
  origin: string,
  { access_token: token }: Pick<Tokens, 'access_token'>,
  path: string,
  init: { method?: string; body?: unknown } = {},
): Promise<Answer> {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method: init.method ?? 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}
