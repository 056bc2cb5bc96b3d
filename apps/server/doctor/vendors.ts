import type { UpstreamClient } from '@turnpike/gateway'
import { vendorFormats } from '@turnpike/dialects'
import { findVendor, type Provider } from '@turnpike/vendors'
import { ask, type Told } from './ask.ts'
import { reasonOf, type ClockReading, type Finding } from './finding.ts'

/**
 * Asks a provider for its list of models with each of its keys, which costs nothing. And once without a key:
 * some show the list to everybody, and then it says nothing of a key.
 */
export async function examineProvider(
  provider: Provider,
  client: UpstreamClient,
): Promise<{ findings: Finding[]; clocks: ClockReading[] }> {
  const { name, apiKeys } = provider
  const [open, ...told] = await Promise.all(
    [undefined, ...apiKeys].map((key) => listModels(provider, key, client)),
  )
  const clocks = [open, ...told].flatMap((one) =>
    one !== undefined && 'clock' in one ? (one.clock ?? []) : [],
  )
  if (apiKeys.length === 0) return { findings: [withoutKey(provider, open!)], clocks }
  const findings = told.map((one, index): Finding => {
    const of = apiKeys.length === 1 ? name : `${name}, key ${index + 1} of ${apiKeys.length}`
    return { of, ...judge(one, isShownToAll(open!)) }
  })
  return { findings, clocks }
}

type Verdict = Pick<Finding, 'state' | 'says'>

function judge(told: Told | Error, shownToAll: boolean): Verdict {
  if (told instanceof Error) return unreachable(told)
  const { status } = told
  if (status === 401 || status === 403)
    return {
      state: 'wrong',
      says: `the key is refused (${status}): make a new one at the vendor, or take it out`,
    }
  if (status === 402) return { state: 'wrong', says: 'the key has no credit left (402): pay the vendor' }
  if (status === 429)
    return {
      state: 'warning',
      says: 'the vendor takes no more requests of this key now (429): see its limits',
    }
  if (status >= 500)
    return { state: 'warning', says: `the vendor has trouble of its own (${status}): try later` }
  if (status === 404 || status === 405)
    return { state: 'not checked', says: 'it is reached, but has no list of models to try a key with' }
  if (status < 200 || status > 299)
    return { state: 'warning', says: `it is reached, and answers ${status} for the list of its models` }
  if (shownToAll)
    return {
      state: 'not checked',
      says: 'it is reached; its list of models needs no key, so the key was not tried',
    }
  return { state: 'ok', says: 'the key works' }
}

function withoutKey({ name, vendor }: Provider, open: Told | Error): Finding {
  if (open instanceof Error) return { of: name, ...unreachable(open) }
  if (open.status === 401 || open.status === 403) {
    const variable = vendor === undefined ? undefined : findVendor(vendor)?.variable
    const where = variable === undefined ? 'api_keys' : `api_keys, or ${variable} in the environment`
    return { of: name, state: 'wrong', says: `it wants a key, and has none: set ${where}` }
  }
  return { of: name, state: 'ok', says: 'it is reached, and wants no key' }
}

function unreachable(error: Error): Verdict {
  return {
    state: 'wrong',
    says: `cannot be reached (${reasonOf(error)}): look at base_url, network and proxy`,
  }
}

function isShownToAll(open: Told | Error): boolean {
  return !(open instanceof Error) && open.status >= 200 && open.status <= 299
}

async function listModels(
  provider: Provider,
  key: string | undefined,
  client: UpstreamClient,
): Promise<Told | Error> {
  const { credential, baseUrl, format, query, headers } = provider
  const { headers: usual, modelsPath = '/models' } = vendorFormats[format]
  const signed = key === undefined ? {} : { [credential.header]: credential.prefix + key }
  const address = `${baseUrl}${modelsPath}${query === '' ? '' : `?${query}`}`
  try {
    return await ask(client, address, { ...usual, ...headers, ...signed })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
