import { vendorFormats, type FormatName } from '@turnpike/dialects'
import {
  bearer,
  withFormats,
  findVendor,
  paidFieldNames,
  paidFieldsOf,
  vendorAt,
  type FurtherFormat,
  type KeyHeader,
  type Provider,
  type ProviderStyle,
  type Vendor,
} from '@turnpike/vendors'
import { regionIn } from '../../credentials/aws-region.ts'
import { locationIn } from '../../credentials/google-location.ts'
import type { Timeouts } from '../configuration.ts'
import {
  alsoSpeaks,
  defaultBaseUrl,
  isSpokenByMany,
  makerOf,
  sandboxName,
  styleOf,
  vendorOf,
  vendorsOfEnvironment,
  type ProviderInput,
} from '../known-providers.ts'
import { resolveDeployments, resolveIdentity } from './identities.ts'
import type { ConfigurationInput } from '../schema/schema.ts'
import type { Environment } from '../variables.ts'

const sandboxAddress = 'http://sandbox.invalid/v1'

/**
 * The configured providers; without such a section, the vendors whose keys are in the environment. Also the
 * sandbox, unless it is turned off or callers come from other machines.
 */
export function resolveProviders(
  input: ConfigurationInput,
  environment: Environment,
  { general, publicUrlIsLoopback }: { general: Timeouts; publicUrlIsLoopback: boolean },
): Provider[] {
  const entries: Record<string, ProviderInput | false> = {
    ...(input.providers ?? fromEnvironment(environment)),
  }
  if (entries[sandboxName] === undefined && publicUrlIsLoopback) entries[sandboxName] = {}
  const providers: Provider[] = []
  for (const [name, entry] of Object.entries(entries)) {
    if (entry !== false) providers.push(resolveProvider(name, entry, { general, environment }))
  }
  return providers
}

interface ResolveContext {
  general: Timeouts
  environment: Environment
}

/** Resolves a provider in the first of its regions. If it has several, the result contains all of them. */
function resolveProvider(name: string, input: ProviderInput, surroundings: ResolveContext): Provider {
  const { regions: [region, ...others] = [] } = input
  if (region === undefined) {
    const only = resolveAddress(name, input, surroundings)
    // Some prices hold in certain regions only, so the region is needed to find the price.
    const named = regionOf(only, vendorOf(name, input))
    return named === undefined ? only : { ...only, region: named }
  }
  // A configured address belongs to one region.
  const first = { ...resolveAddress(name, input, surroundings), region }
  if (others.length === 0) return first
  const further = others.map((other) => ({
    ...resolveAddress(name, { ...input, regions: [other] }, surroundings),
    region: other,
  }))
  return { ...first, regions: [first, ...further] }
}

/** The region of a provider whose regions the configuration does not list. */
function regionOf({ baseUrl, identity }: Provider, vendor: Vendor | undefined): string | undefined {
  if (vendor?.identity === 'google') return locationIn(baseUrl)
  if (vendor?.identity !== 'aws') return undefined
  return regionIn(baseUrl) ?? (identity?.kind === 'aws' ? identity.region : undefined)
}

/** The vendor's data with the configuration's values in their place. The input has passed all checks. */
function resolveAddress(
  name: string,
  input: ProviderInput,
  { general, environment }: ResolveContext,
): Provider {
  const style = styleOf(name, input) ?? 'openai'
  const vendor = vendorOf(name, input)
  const like = vendor ?? (style === 'sandbox' ? undefined : makerOf(style))
  const baseUrl = withoutSlash(input.base_url ?? defaultBaseUrl(name, input) ?? sandboxAddress)
  const provider: Provider = {
    name,
    vendor: vendor?.name,
    style,
    format: like?.format ?? 'openai-chat',
    baseUrl,
    ...pathAndQuery(input, baseUrl, vendor),
    keyHeader: keyHeaderOf(input, like),
    headers: { ...vendor?.headers, ...guardrailHeaders(input), ...lowerCased(input.headers) },
    takesStreamOptions: input.takes_stream_options ?? like?.takesStreamOptions ?? true,
    outputBoundField: input.output_bound_field ?? vendor?.outputBoundField,
    reasoningBoundField: input.output_bound_field ?? vendor?.reasoningBoundField,
    refusesReasoning: like?.refusesReasoning === true,
    refusesDeveloper: like?.refusesDeveloper === true,
    takesOpenRouterWords: like?.takesOpenRouterWords === true,
    schemas: vendor?.schemas,
    ...guardrailOf(input),
    ...(vendor?.batches !== undefined && { batches: vendor.batches }),
    ...billing(input, style, vendor ?? vendorAt(baseUrl) ?? (isSpokenByMany(style) ? undefined : like)),
    apiKeys: input.api_keys ?? [],
    ...(input.own_keys_only === true && { ownKeysOnly: true }),
    ...resolveIdentity(input, { baseUrl, environment, vendor }),
    ...resolveDeployments(input),
    allowedReferences: input.allowed_references ?? [],
    unsupportedFields: input.unsupported_fields ?? 'refuse',
    timeouts: { ...general, ...resolveTimeouts(input.upstream) },
  }
  const further = alsoSpeaks(name, input)
  return inItsFormats(provider, input.formats ?? usualFormats(provider, further), further, vendor)
}

/** The provider's own format, and its vendor's other formats that lose nothing in translation. */
function usualFormats({ format }: Provider, further: readonly FurtherFormat[]): FormatName[] {
  const byDefault = further.filter((one) => one.byDefault === true)
  return [format, ...byDefault.map((one) => one.format)]
}

/** Resolves the provider in the first of its formats. The result contains it in the other formats, too. */
function inItsFormats(
  own: Provider,
  formats: readonly FormatName[],
  further: readonly FurtherFormat[],
  vendor: Vendor | undefined,
): Provider {
  if (further.length === 0) return own
  const providersByFormat: Record<string, Provider> = { [own.format]: own }
  for (const one of further) {
    const { format, countsTokens = false, batches, quirks } = one
    const address = addressIn(one, own, vendor)
    providersByFormat[format] = {
      ...own,
      ...address,
      format,
      paths: pathsIn(format, own),
      countsTokens,
      dropsBillingLine: true,
      ...quirks,
      ...(batches !== undefined && { batches }),
    }
  }
  return { ...withFormats({ ...own, providersByFormat }, formats)!, providersByFormat }
}

/** The paths of operations that only this format serves; all others belong to the usual format. */
function pathsIn(format: FormatName, { format: usual, paths }: Provider): Provider['paths'] {
  const own = Object.entries(paths).filter(
    ([operation]) => servesIn(format, operation) && !servesIn(usual, operation),
  )
  return Object.fromEntries(own)
}

function servesIn(format: FormatName, operation: string): boolean {
  return Object.hasOwn(vendorFormats[format].operations, operation)
}

/** Below a plain address, all formats have their usual paths. */
function addressIn(
  { base, format, insteadOf }: FurtherFormat,
  own: Provider,
  vendor: Vendor | undefined,
): Pick<Provider, 'baseUrl' | 'query'> {
  const { baseUrl, query } = own
  if (isPlainBelow(baseUrl, vendor)) return { baseUrl, query }
  if (Object.keys(pathsIn(format, own)).length > 0) return { baseUrl, query }
  if (base === undefined) return { baseUrl, query: '' }
  if (insteadOf !== undefined) {
    const before = baseUrl.endsWith(insteadOf) ? baseUrl.slice(0, -insteadOf.length) : baseUrl
    return { baseUrl: before + base, query }
  }
  return { baseUrl: baseUrl.replace(/\/v\d+[a-z]*$/, '') + base, query: '' }
}

function isPlainBelow(baseUrl: string, vendor: Vendor | undefined): boolean {
  return vendor?.plainBelow !== undefined && baseUrl.endsWith(vendor.plainBelow)
}

function pathAndQuery(
  input: ProviderInput,
  baseUrl: string,
  vendor: Vendor | undefined,
): Pick<Provider, 'paths' | 'query'> {
  const isPlain = isPlainBelow(baseUrl, vendor)
  const version = input.api_version ?? (isPlain ? undefined : vendor?.apiVersion)
  return {
    paths: {
      ...(isPlain ? undefined : vendor?.paths),
      ...(input.path !== undefined && { generate: input.path }),
      ...input.paths,
    },
    query: version === undefined ? '' : `api-version=${encodeURIComponent(version)}`,
  }
}

/** The vendor's data says what the provider bills; nothing is billed for the sandbox's invented answers. */
function billing(
  { allow_unpriced: allowed = [] }: ProviderInput,
  style: ProviderStyle,
  vendor: Vendor | undefined,
): Pick<Provider, 'paidFields' | 'allowUnpriced' | 'unaskedSearches'> {
  return {
    paidFields: style === 'sandbox' ? [] : paidFieldsOf(vendor),
    allowUnpriced: new Set(allowed),
    unaskedSearches: vendor?.unaskedSearches ?? 0,
  }
}

function keyHeaderOf({ credential_header: header }: ProviderInput, like: Vendor | undefined): KeyHeader {
  if (header === undefined) return like?.keyHeader ?? bearer
  const name = header.toLowerCase()
  return name === bearer.header ? bearer : { header: name, prefix: '' }
}

/** In the form that Converse takes. */
function guardrailOf({ guardrail }: ProviderInput): Pick<Provider, 'guardrail'> {
  if (guardrail === undefined) return {}
  const { id: guardrailIdentifier, version: guardrailVersion } = guardrail
  return { guardrail: { guardrailIdentifier, guardrailVersion } }
}

/** The same setting for models that are called in their makers' own formats. */
function guardrailHeaders({ guardrail }: ProviderInput): Record<string, string> {
  if (guardrail === undefined) return {}
  return {
    'x-amzn-bedrock-guardrailidentifier': guardrail.id,
    'x-amzn-bedrock-guardrailversion': guardrail.version,
  }
}

function lowerCased(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function fromEnvironment(environment: Environment): Record<string, ProviderInput> {
  const named: Record<string, ProviderInput> = {}
  for (const name of vendorsOfEnvironment) {
    const key = environment[findVendor(name)!.variable ?? '']
    if (key !== undefined && key !== '') named[name] = { api_keys: [key] }
  }
  return named
}

/** Warnings for the operator about a provider. */
export function providerWarnings(provider: Provider): string[] {
  return [keyWarning(provider), warnOfUnpriced(provider)].filter((warning) => warning !== undefined)
}

/** Warns if the vendor will reject calls for lack of a credential. */
function keyWarning(provider: Provider): string | undefined {
  const { name, vendor: vendorName, apiKeys, apiKeyFiles, identity, baseUrl, ownKeysOnly } = provider
  if (apiKeyFiles !== undefined || identity !== undefined || ownKeysOnly === true) return undefined
  const vendor = vendorName === undefined ? undefined : findVendor(vendorName)
  if (vendor?.variable === undefined || apiKeys.length > 0 || baseUrl !== vendor.baseUrl) return undefined
  return `the provider ${name} has no api_keys, and ${vendor.title} refuses calls without one`
}

/** Warns of a name in `allow_unpriced` that no vendor bills by. It has no effect, and may be misspelt. */
function warnOfUnpriced({ name, allowUnpriced }: Provider): string | undefined {
  const unknown = [...allowUnpriced].find((field) => field !== '*' && !paidFieldNames().includes(field))
  if (unknown === undefined) return undefined
  return `the provider ${name} allows "${unknown}" unpriced, but no known vendor bills for it`
}

/** In milliseconds, without those that are not configured. */
export function resolveTimeouts(input: ConfigurationInput['upstream']): Partial<Timeouts> {
  const timeouts: Partial<Timeouts> = {}
  if (input?.connect_seconds !== undefined) timeouts.connectMs = milliseconds(input.connect_seconds)
  if (input?.first_byte_seconds !== undefined) timeouts.firstByteMs = milliseconds(input.first_byte_seconds)
  if (input?.idle_seconds !== undefined) timeouts.idleMs = milliseconds(input.idle_seconds)
  if (input?.total_seconds !== undefined) timeouts.totalMs = milliseconds(input.total_seconds)
  return timeouts
}

export function milliseconds(seconds: number): number {
  return Math.max(1, Math.round(seconds * 1000))
}

export function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '')
}
