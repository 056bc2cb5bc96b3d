import { CredentialFailure, noCredential, type Credential, type UpstreamClient } from '@turnpike/gateway'
import { vendorFormats } from '@turnpike/dialects'
import { findVendor, type Provider } from '@turnpike/vendors'
import { ask, type ServiceAnswer } from './ask.ts'
import { reasonOf, type ClockReading, type Finding } from './finding.ts'

/** Minting a token may take long. */
const mintMs = 15_000

/**
 * Requests a provider's list of models with each of its credentials, which is free. Also requests it
 * without a credential: a vendor that shows the list to everybody does not check credentials for it.
 */
export async function examineProvider(
  provider: Provider,
  client: UpstreamClient,
  credentials: readonly Credential[],
): Promise<{ findings: Finding[]; clocks: ClockReading[] }> {
  const name = provider.region === undefined ? provider.name : `${provider.name} in ${provider.region}`
  const proving = credentials.filter(({ kind }) => kind !== 'none')
  const [open, ...answers] = await Promise.all(
    [noCredential, ...proving].map((credential) => listModels(provider, credential, client)),
  )
  const clocks = [open, ...answers].flatMap((one) =>
    one !== undefined && 'clock' in one ? (one.clock ?? []) : [],
  )
  if (proving.length === 0) return { findings: [{ of: name, ...withoutKey(provider, open!) }], clocks }
  const findings = answers.map((one, index): Finding => {
    const of = proving.length === 1 ? name : `${name}, key ${index + 1} of ${proving.length}`
    return { of, ...judge(one, isShownToAll(open!), proving[index]!) }
  })
  return { findings, clocks }
}

type Verdict = Pick<Finding, 'state' | 'says'>

function judge(answer: ServiceAnswer | Error, shownToAll: boolean, credential: Credential): Verdict {
  if (answer instanceof CredentialFailure) return notMinted(answer, credential)
  if (answer instanceof Error) return unreachable(answer)
  const { status } = answer
  const what = describeCredential(credential)
  if (status === 401 || status === 403) return { state: 'wrong', says: describeRefusal(credential, status) }
  if (status === 402)
    return { state: 'wrong', says: `${what} has no credit left (402): add credit at the vendor` }
  if (status === 429)
    return {
      state: 'warning',
      says: `the vendor is rate limiting this ${credential.kind} (429): check its limits`,
    }
  if (status >= 500) return { state: 'warning', says: `the vendor has an outage (${status}): try later` }
  if (status === 404 || status === 405)
    return { state: 'not checked', says: 'it is reachable, but has no list of models to test a key with' }
  if (status < 200 || status > 299)
    return { state: 'warning', says: `it is reachable, but returns ${status} for its list of models` }
  if (shownToAll)
    return {
      state: 'not checked',
      says: `it is reachable; its list of models needs no key, so ${what} was not tested`,
    }
  return { state: 'ok', says: `${what} works` }
}

/** Describes a minted credential by its source and remaining lifetime; a key is only called a key. */
function describeCredential(credential: Credential): string {
  const { kind, source, expiresInSeconds } = credential.state()
  if (kind === 'key') return 'the key'
  const end = expiresInSeconds === null ? '' : `, valid for ${Math.floor(expiresInSeconds / 60)} min`
  return `the ${kind} (${source}${end})`
}

function describeRefusal(credential: Credential, status: number): string {
  const { kind } = credential
  const help = kind === 'key' ? 'create a new one at the vendor, or remove it' : 'check its permissions there'
  return `${describeCredential(credential)} was rejected (${status}): ${help}`
}

function notMinted({ message, hint }: CredentialFailure, credential: Credential): Verdict {
  const { source } = credential.state()
  return { state: 'wrong', says: `no credential from ${source}: ${message}${hint === '' ? '' : `; ${hint}`}` }
}

function withoutKey({ vendor }: Provider, open: ServiceAnswer | Error): Verdict {
  if (open instanceof Error) return unreachable(open)
  if (open.status === 401 || open.status === 403) {
    const variable = vendor === undefined ? undefined : findVendor(vendor)?.variable
    const where = variable === undefined ? 'api_keys' : `api_keys, or ${variable} in the environment`
    return { state: 'wrong', says: `it needs a key: set ${where}` }
  }
  return { state: 'ok', says: 'it is reachable, and needs no key' }
}

function unreachable(error: Error): Verdict {
  return {
    state: 'wrong',
    says: `unreachable (${reasonOf(error)}): check base_url, network and proxy`,
  }
}

function isShownToAll(open: ServiceAnswer | Error): boolean {
  return !(open instanceof Error) && open.status >= 200 && open.status <= 299
}

async function listModels(
  provider: Provider,
  credential: Credential,
  client: UpstreamClient,
): Promise<ServiceAnswer | Error> {
  const { baseUrl, format, query, headers } = provider
  const { headers: usual, modelsPath = '/models' } = vendorFormats[format]
  const address = `${baseUrl}${modelsPath}${query === '' ? '' : `?${query}`}`
  try {
    await credential.ready(mintMs)
    return await ask(client, address, { ...usual, ...headers }, { credential, provider })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
