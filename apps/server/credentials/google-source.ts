import { readFile } from 'node:fs/promises'
import { CredentialFailure, type Minted } from '@turnpike/gateway'
import type { GoogleIdentity } from '@turnpike/vendors'
import {
  AuthClient,
  AwsClient,
  GoogleAuth,
  IdentityPoolClient,
  Impersonated,
  JWT,
  UserRefreshClient,
} from 'google-auth-library'
import { hintFor } from './hints.ts'
import { sourceFailure } from './source-failure.ts'

const scopes = ['https://www.googleapis.com/auth/cloud-platform']
/** Google gives no longer ones unless an organization allows it. */
const impersonatedSeconds = 3_600

/** One try: a mint that fails is made again by who calls. */
const patience = { timeout: 8_000, retry: false }

type Transport = NonNullable<NonNullable<ConstructorParameters<typeof AuthClient>[0]>['transporterOptions']>

/**
 * Asks Google for an access token: with the JSON of a service account, of a workload identity or of a user,
 * else with the application-default credentials, and as the service account that is named where one is.
 * @param transport where not Google itself is asked
 * @throws {CredentialFailure} there is none
 */
export async function mintGoogleToken(
  identity: GoogleIdentity,
  transport: Transport = {},
): Promise<Minted<string>> {
  try {
    return await mintToken(identity, { ...patience, ...transport })
  } catch (error) {
    throw sourceFailure('google', error, textOf(error))
  }
}

async function mintToken(
  { file, json, impersonate }: GoogleIdentity,
  transporterOptions: Transport,
): Promise<Minted<string>> {
  const text = file === undefined ? json : await readFile(file, 'utf8')
  const credentials = text === undefined ? undefined : parseCredentials(text)
  const own =
    credentials === undefined
      ? await new GoogleAuth({ scopes, clientOptions: { transporterOptions } }).getClient()
      : clientOf(credentials, transporterOptions)
  const client = impersonate === undefined ? own : toImpersonated(own, impersonate, transporterOptions)
  const { token } = await client.getAccessToken()
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token))
    throw new CredentialFailure('the response contains no token', hintFor('google', 'garbage'))
  const endsAtMs = client.credentials.expiry_date
  return {
    value: token,
    livesMs: typeof endsAtMs === 'number' ? endsAtMs - Date.now() : hourMs,
    source: `Google: ${impersonate ?? sourceOf(credentials)}`,
  }
}

function toImpersonated(
  sourceClient: AuthClient,
  targetPrincipal: string,
  transporterOptions: Transport,
): AuthClient {
  const asked = { targetPrincipal, targetScopes: scopes, lifetime: impersonatedSeconds }
  return new Impersonated({ sourceClient, ...asked, transporterOptions })
}

/** Of a token of which nothing is said: no shorter ones are given. */
const hourMs = 3_600_000

/** As in the JSON that Google gives. */
interface GoogleCredentials {
  type?: unknown
  client_email?: unknown
  private_key?: unknown
  private_key_id?: unknown
  client_id?: unknown
  client_secret?: unknown
  refresh_token?: unknown
  credential_source?: unknown
}

function parseCredentials(text: string): GoogleCredentials {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's own words quote the text, which is a secret.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new CredentialFailure('the credentials are not a JSON object', hintFor('google', 'JSON'))
}

/** What an operator names in the configuration is from whom it trusts. */
function clientOf(credentials: GoogleCredentials, transporterOptions: Transport): AuthClient {
  const member = (name: keyof GoogleCredentials): string => {
    const value = credentials[name]
    if (typeof value === 'string' && value !== '') return value
    throw new CredentialFailure(`the credentials have no ${name}`, hintFor('google', 'JSON'))
  }
  const type = member('type')
  if (type === 'service_account')
    return new JWT({
      email: member('client_email'),
      key: member('private_key'),
      keyId: member('private_key_id'),
      scopes,
      transporterOptions,
    })
  if (type === 'authorized_user')
    return new UserRefreshClient({
      clientId: member('client_id'),
      clientSecret: member('client_secret'),
      refreshToken: member('refresh_token'),
      transporterOptions,
    })
  if (type !== 'external_account')
    throw new CredentialFailure(`unknown credential type ${type}`, hintFor('google', 'JSON'))
  const external = { ...(credentials as unknown as External), scopes, transporterOptions }
  return isOfAws(credentials) ? new AwsClient(external) : new IdentityPoolClient(external)
}

type External = ConstructorParameters<typeof IdentityPoolClient>[0] &
  ConstructorParameters<typeof AwsClient>[0]

/** AWS's signs a request of its own in the place of a token. */
function isOfAws({ credential_source: source }: GoogleCredentials): boolean {
  return typeof source === 'object' && source !== null && 'environment_id' in source
}

function sourceOf(credentials: GoogleCredentials | undefined): string {
  if (credentials === undefined) return 'application-default credentials'
  const { type, client_email: email } = credentials
  if (typeof email === 'string') return email
  return type === 'external_account' ? 'workload identity' : 'a user'
}

/** What Google's server said stands beside the message. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { response } = error as { response?: { data?: unknown } }
  const data = response?.data as { error?: unknown; error_description?: unknown } | undefined
  const said = [data?.error, data?.error_description].filter((part) => typeof part === 'string')
  return [error.message, ...said.filter((part) => !error.message.includes(part))].join(': ')
}
