import { regionIn } from '../../credentials/aws-region.ts'
import { defaultBaseUrl, vendorOf, type ProviderInput } from '../known-providers.ts'
import type { Path } from '../mistakes/mistake.ts'
import { regionOfEnvironment } from '../resolve/identities.ts'
import type { ConfigurationInput } from '../schema/schema.ts'
import type { Environment } from '../variables.ts'

interface Contradiction {
  path: Path
  message: string
}

/** Finds mistakes in providers' credentials other than keys. */
export function* findWrongIdentities(
  { providers }: ConfigurationInput,
  environment: Environment,
): Generator<Contradiction> {
  for (const [name, provider] of Object.entries(providers ?? {})) {
    if (provider === false) continue
    const path = ['providers', name]
    const named = (['aws', 'google', 'entra'] as const).filter((kind) => provider[kind] !== undefined)
    if (named.length > 1)
      yield { path: [...path, named[1]!], message: `cannot be combined with ${named[0]}: remove one of them` }
    yield* ofAws(name, provider, path, environment)
    yield* ofGoogle(provider, path)
    yield* ofEntra(provider, path)
    yield* ofDeployments(name, provider, path)
  }
}

function* ofAws(
  name: string,
  provider: ProviderInput,
  ofProvider: Path,
  environment: Environment,
): Generator<Contradiction> {
  const { aws } = provider
  if (aws === undefined) return
  const path = [...ofProvider, 'aws']
  const address = provider.base_url ?? defaultBaseUrl(name, provider) ?? ''
  const region = provider.regions?.[0] ?? aws.region ?? regionIn(address) ?? regionOfEnvironment(environment)
  if (region === undefined)
    yield { path, message: 'missing region; neither the address nor AWS_REGION contains it' }
  if (aws.region !== undefined && provider.regions !== undefined)
    yield { path: [...path, 'region'], message: "cannot be combined with the provider's regions: remove it" }
  for (const key of ['external_id', 'session_name', 'web_identity_token_file'] as const)
    if (aws[key] !== undefined && aws.role_arn === undefined)
      yield { path: [...path, key], message: 'belongs to a role: set role_arn' }
  if ((aws.access_key_id === undefined) !== (aws.secret_access_key === undefined))
    yield { path, message: 'access_key_id and secret_access_key must be set together' }
  if (aws.session_token !== undefined && aws.access_key_id === undefined)
    yield { path: [...path, 'session_token'], message: 'belongs to access keys: set access_key_id' }
  const sources = (['profile', 'access_key_id', 'web_identity_token_file'] as const).filter(
    (key) => aws[key] !== undefined,
  )
  if (sources.length > 1)
    yield {
      path: [...path, sources[1]!],
      message: `cannot be combined with ${sources[0]}: remove one of them`,
    }
}

function* ofGoogle({ google }: ProviderInput, path: Path): Generator<Contradiction> {
  if (google?.credentials === undefined) return
  if (google.credentials_file !== undefined)
    yield {
      path: [...path, 'google', 'credentials'],
      message: 'cannot be combined with credentials_file: remove one of them',
    }
  if (!isObject(google.credentials))
    yield {
      path: [...path, 'google', 'credentials'],
      message: "expected the JSON that Google's console provides",
    }
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function* ofEntra({ entra }: ProviderInput, ofProvider: Path): Generator<Contradiction> {
  if (entra === undefined) return
  const path = [...ofProvider, 'entra']
  const proofs = (['client_secret', 'client_secret_file', 'certificate_file', 'token_file'] as const).filter(
    (key) => entra[key] !== undefined,
  )
  if (proofs.length > 1)
    yield { path: [...path, proofs[1]!], message: `cannot be combined with ${proofs[0]}: remove one of them` }
  if (proofs.length === 0) {
    if (entra.tenant_id !== undefined)
      yield {
        path,
        message: 'missing client_secret, certificate_file or token_file; a managed identity has no tenant_id',
      }
    return
  }
  for (const key of ['tenant_id', 'client_id'] as const)
    if (entra[key] === undefined)
      yield { path, message: `missing ${key}; ${proofs[0]} belongs to an application` }
}

/** Only Azure resources, and only with an identity: a resource's keys cannot list its deployments. */
function* ofDeployments(name: string, provider: ProviderInput, ofProvider: Path): Generator<Contradiction> {
  const { deployments, entra, resource } = provider
  if (deployments === undefined) return
  const path = [...ofProvider, 'deployments']
  const vendor = vendorOf(name, provider)
  if (vendor?.name !== 'azure')
    yield { path, message: `${vendor?.title ?? name} has no deployments: leave it out` }
  else if (entra === undefined) yield { path, message: 'are listed by an identity: entra is missing' }
  else if ((deployments.account ?? resource) === undefined)
    yield { path, message: 'missing account; without resource nobody knows which one it is' }
}
