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
/** Google issues no longer ones unless an organization allows it. */
const impersonatedSeconds = 3_600

/** One attempt: the caller retries a failed mint. */
const patience = { timeout: 8_000, retry: false }

type Transport = NonNullable<NonNullable<ConstructorParameters<typeof AuthClient>[0]>['transporterOptions']>

/**
 * Gets an access token from Google: with the JSON of a service account, a workload identity or a user, else
 * with the application-default credentials. If a service account is named, impersonates it.
 * @param transport replaces Google's server, for tests
 * @throws {CredentialFailure} no token was issued
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
  const request = { targetPrincipal, targetScopes: scopes, lifetime: impersonatedSeconds }
  return new Impersonated({ sourceClient, ...request, transporterOptions })
}

/** Lifetime of a token without an expiry: Google issues no shorter ones. */
const hourMs = 3_600_000

/** The JSON that Google issues. */
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
    // The parser's message quotes the text, which is a secret.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new CredentialFailure('the credentials are not a JSON object', hintFor('google', 'JSON'))
}

/** The operator chose these credentials in the configuration, so the addresses in them are trusted. */
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

/** AWS's kind is exchanged by a signed request instead of a token. */
function isOfAws({ credential_source: source }: GoogleCredentials): boolean {
  return typeof source === 'object' && source !== null && 'environment_id' in source
}

function sourceOf(credentials: GoogleCredentials | undefined): string {
  if (credentials === undefined) return 'application-default credentials'
  const { type, client_email: email } = credentials
  if (typeof email === 'string') return email
  return type === 'external_account' ? 'workload identity' : 'a user'
}

/** The message of Google's server is in separate fields of the error. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { response } = error as { response?: { data?: unknown } }
  const data = response?.data as { error?: unknown; error_description?: unknown } | undefined
  const details = [data?.error, data?.error_description].filter((part) => typeof part === 'string')
  return [error.message, ...details.filter((part) => !error.message.includes(part))].join(': ')
}
