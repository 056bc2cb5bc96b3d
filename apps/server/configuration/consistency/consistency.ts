import { isWholeCents, parseUsd } from '@turnpike/billing'
import { findWrongRegions, ofAddress } from './addresses.ts'
import { findWrongAliases } from './aliases.ts'
import { findWrongFallbacks } from './fallbacks.ts'
import { findWrongFormats } from './formats.ts'
import { findWrongIdentities } from './identities.ts'
import { ofLimits } from './limits.ts'
import { ofMail } from './mail.ts'
import { ofMcp } from './mcp.ts'
import { defaults } from '../defaults.ts'
import { knownNames, styleOf, vendorOf, type ProviderInput } from '../known-providers.ts'
import type { Path } from '../mistakes/mistake.ts'
import { nearest } from '../mistakes/nearest.ts'
import { providerStyles } from '../schema/models.ts'
import type { ConfigurationInput } from '../schema/schema.ts'
import type { Environment } from '../variables.ts'

interface Contradiction {
  path: Path
  message: string
}

/** Finds values that are each valid but contradict each other. */
export function findContradictions(
  input: ConfigurationInput,
  environment: Environment = {},
): Contradiction[] {
  return [
    ...ofOrigins(input),
    ...ofProviders(input),
    ...ofModels(input),
    ...ofAutoTiers(input),
    ...findWrongAliases(input),
    ...findWrongRegions(input),
    ...findWrongFallbacks(input),
    ...findWrongFormats(input),
    ...findWrongIdentities(input, environment),
    ...ofTopup(input),
    ...ofLimits(input),
    ...ofPayments(input),
    ...ofIdentity(input),
    ...ofMcp(input),
    ...ofResponses(input),
    ...ofPromptLog(input),
    ...ofMail(input),
    ...ofByok(input),
    ...ofKeys(input.webhooks?.encryption_keys, ['webhooks', 'encryption_keys']),
  ]
}

function* ofOrigins({ cors }: ConfigurationInput): Generator<Contradiction> {
  const origins = cors?.allowed_origins ?? []
  const every = origins.indexOf('*')
  if (every === -1 || origins.length === 1) return
  const message = '"*" already includes every origin: remove it, or the others'
  yield { path: ['cors', 'allowed_origins', every], message }
}

/** The most by which compressing and sealing can make an answer larger than its text. */
const sealingBytes = 1024

function* ofResponses({ responses }: ConfigurationInput): Generator<Contradiction> {
  if (responses === undefined) return
  const path = ['responses']
  if (responses.store_days !== undefined && responses.encryption_keys === undefined)
    yield {
      path,
      message:
        'missing encryption_keys; answers are only stored encrypted: create a key with ' +
        '"openssl rand -base64 32" and set ["${TURNPIKE_RESPONSES_KEY}"], or remove store_days',
    }
  const { max_answer_bytes: ofAnswer, max_account_bytes: ofAccount } = { ...defaults.responses, ...responses }
  if (ofAnswer + sealingBytes > ofAccount)
    yield {
      path,
      message: `max_answer_bytes (${ofAnswer}) is larger than max_account_bytes (${ofAccount})`,
    }
  yield* ofKeys(responses.encryption_keys, [...path, 'encryption_keys'])
}

function* ofKeys(keys: readonly string[] = [], path: Path): Generator<Contradiction> {
  for (const [index, key] of keys.entries())
    if (keys.indexOf(key) < index) yield { path: [...path, index], message: 'is listed twice' }
}

function* ofByok({ byok, providers }: ConfigurationInput): Generator<Contradiction> {
  for (const [name, provider] of Object.entries(providers ?? {}))
    if (provider !== false && provider.own_keys_only === true) {
      const path = ['providers', name, 'own_keys_only']
      if (byok === undefined) yield { path, message: 'needs byok.encryption_keys, which encrypt the keys' }
      else if ((provider.api_keys?.length ?? 0) > 0)
        yield {
          path,
          message: 'remove api_keys, or this: the provider is only called with accounts’ own keys',
        }
      else if (byok.providers?.includes(name) === false)
        yield { path, message: 'byok.providers does not list this provider' }
    }
  if (byok === undefined) return
  const path = ['byok']
  yield* ofKeys(byok.encryption_keys, [...path, 'encryption_keys'])
  for (const [index, name] of (byok.providers ?? []).entries())
    if (providers !== undefined && (providers[name] ?? false) === false)
      yield { path: [...path, 'providers', index], message: `expected a provider of this configuration` }
}

function* ofPromptLog({ prompt_log: log }: ConfigurationInput): Generator<Contradiction> {
  const path = ['prompt_log']
  yield* ofKeys(log?.encryption_keys, [...path, 'encryption_keys'])
  const names = (log?.redact ?? []).map(({ name }) => name)
  for (const [index, name] of names.entries())
    if (names.indexOf(name) < index)
      yield { path: [...path, 'redact', index, 'name'], message: 'is listed twice' }
}

function* ofProviders(input: ConfigurationInput): Generator<Contradiction> {
  for (const [name, provider] of Object.entries(input.providers ?? {})) {
    const path = ['providers', name]
    if (name === 'turnpike')
      yield { path, message: 'this name is reserved for turnpike/auto: choose another one' }
    if (provider === false) continue
    yield* ofProvider(name, provider, path)
  }
}

function* ofProvider(name: string, provider: ProviderInput, path: Path): Generator<Contradiction> {
  const style = styleOf(name, provider)
  if (style === undefined) {
    const message =
      `missing; expected one of ${providerStyles.join(', ')}, since "${name}" is not a known ` +
      `vendor${suggestion(name, knownNames)}`
    yield { path: [...path, 'style'], message }
    return
  }
  if (provider.path !== undefined && provider.paths?.generate !== undefined)
    yield { path: [...path, 'path'], message: 'is the same as paths.generate: remove one of them' }
  const vendor = vendorOf(name, provider)
  if (vendor !== undefined && provider.style !== undefined && provider.style !== vendor.style) {
    const message = `${vendor.title} uses ${vendor.style}: remove style, or vendor`
    yield { path: [...path, 'style'], message }
  }
  yield* ofAddress(name, provider, path)
}

const needsGenerate = 'models of auto-routing must have the operation generate'

function answersNothing({ models }: ConfigurationInput, id: string): boolean {
  return models?.[id]?.operations?.includes('generate') === false
}

function* ofAutoTiers(input: ConfigurationInput): Generator<Contradiction> {
  for (const [tier, names] of Object.entries(input.routing?.auto?.tiers ?? {}))
    for (const [index, name] of names.entries())
      if (answersNothing(input, name))
        yield { path: ['routing', 'auto', 'tiers', tier, index], message: needsGenerate }
}

function* ofModels(input: ConfigurationInput): Generator<Contradiction> {
  const providers = new Set([...knownNames, ...Object.keys(input.providers ?? {})])
  for (const [id, model] of Object.entries(input.models ?? {})) {
    if (model.alias_of !== undefined || !id.includes('/')) continue
    const path = ['models', id]
    if (model.free === true && model.pricing !== undefined) {
      yield { path: [...path, 'free'], message: 'set either pricing or free: true, not both' }
    }
    if ((model.tiers ?? []).length > 0 && answersNothing(input, id))
      yield { path: [...path, 'tiers'], message: needsGenerate }
    const prefix = id.slice(0, id.indexOf('/'))
    if (model.upstreams === undefined && !providers.has(prefix)) {
      yield {
        path,
        message: `missing upstreams; unknown provider "${prefix}"${suggestion(prefix, providers)}`,
      }
    }
    // An unreadable provider name has been reported already.
    const upstreams: { provider?: string }[] = model.upstreams ?? []
    for (const [index, { provider }] of upstreams.entries()) {
      if (provider === undefined || providers.has(provider)) continue
      const message = `unknown provider "${provider}"${suggestion(provider, providers)}`
      yield { path: [...path, 'upstreams', index, 'provider'], message }
    }
    yield* ofOverrides(model.pricing?.overrides ?? [], [...path, 'pricing', 'overrides'])
    yield* ofUpstreams(model.upstreams ?? [], model.free === true, [...path, 'upstreams'])
    yield* ofWeights(model.upstreams ?? [], input.routing?.order, [...path, 'upstreams'])
  }
}

type UpstreamInput = NonNullable<NonNullable<ConfigurationInput['models']>[string]['upstreams']>[number]

function* ofUpstreams(
  upstreams: readonly UpstreamInput[],
  free: boolean,
  path: Path,
): Generator<Contradiction> {
  for (const [index, { provider, model, region, pricing }] of upstreams.entries()) {
    const first = upstreams.findIndex(
      (other) => other.provider === provider && other.model === model && other.region === region,
    )
    if (first < index)
      yield { path: [...path, index], message: `is the same as upstreams[${first}]: remove one of them` }
    if (pricing === undefined) continue
    if (free)
      yield { path: [...path, index, 'pricing'], message: 'a model is either free or has prices, not both' }
    yield* ofOverrides(pricing.overrides ?? [], [...path, index, 'pricing', 'overrides'])
  }
}

function* ofWeights(
  upstreams: readonly UpstreamInput[],
  order: string | undefined,
  path: Path,
): Generator<Contradiction> {
  const weighed = upstreams.filter(({ weight }) => weight !== undefined)
  if (weighed.length === 0) return
  for (const [index, { weight }] of upstreams.entries()) {
    if (weight === undefined)
      yield {
        path: [...path, index],
        message: 'missing weight; set it for all upstreams of a model, or for none',
      }
    else if (order !== undefined && order !== 'listed')
      yield { path: [...path, index, 'weight'], message: `has no effect with routing.order: ${order}` }
  }
}

function* ofOverrides(overrides: { min_prompt_tokens: number }[], path: Path): Generator<Contradiction> {
  const seen = new Set<number>()
  for (const [index, { min_prompt_tokens: bound }] of overrides.entries()) {
    if (seen.has(bound))
      yield { path: [...path, index, 'min_prompt_tokens'], message: `${bound} is listed twice` }
    seen.add(bound)
  }
}

/** https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const stripeLeast = '0.5'
const stripeMost = '999999.99'

function* ofTopup({ billing, payments }: ConfigurationInput): Generator<Contradiction> {
  const path = ['billing', 'topup']
  const { min_usd: min, max_usd: max } = { ...defaults.billing.topup, ...billing?.topup }
  for (const [key, usd] of [
    ['min_usd', min],
    ['max_usd', max],
  ] as const) {
    const isPayable = isWholeCents(parseUsd(usd)) && parseUsd(usd) > 0n
    if (!isPayable) yield { path: [...path, key], message: 'expected whole cents, more than 0' }
  }
  if (parseUsd(min) > parseUsd(max)) {
    yield { path, message: `min_usd (${min}) is more than max_usd (${max})` }
  }
  if (payments?.stripe === undefined) return
  if (parseUsd(min) < parseUsd(stripeLeast) || parseUsd(max) > parseUsd(stripeMost)) {
    yield { path, message: `Stripe takes payments from ${stripeLeast} to ${stripeMost} USD` }
  }
}

function* ofPayments({ payments }: ConfigurationInput): Generator<Contradiction> {
  if (payments?.stripe === undefined) return
  if (payments.sandbox === true) {
    yield {
      path: ['payments', 'sandbox'],
      message: 'is only for gateways without stripe: remove one of them',
    }
  }
  const { api_base: address } = payments.stripe
  if (address !== undefined && new URL(address).pathname !== '/') {
    yield { path: ['payments', 'stripe', 'api_base'], message: 'expected an origin, without a path' }
  }
}

function* ofIdentity({ identity }: ConfigurationInput): Generator<Contradiction> {
  if (identity === undefined) return
  const path = ['identity']
  if ((identity.issuer === undefined) !== (identity.client_id === undefined)) {
    const missing = identity.issuer === undefined ? 'issuer' : 'client_id'
    yield { path, message: `missing ${missing}; issuer and client_id must be set together` }
  }
  for (const key of ['registration', 'allowed_email_domains'] as const) {
    if (identity.issuer === undefined || identity[key] === undefined) continue
    yield { path: [...path, key], message: 'is only for the embedded provider: remove it, or issuer' }
  }
  const hasClaim = identity.roles_claim !== undefined
  const lacking = hasClaim ? 'role_mappings' : 'roles_claim'
  if (hasClaim !== (identity.role_mappings !== undefined))
    yield {
      path,
      message: `missing ${lacking}; roles_claim and role_mappings must be set together`,
    }
  if (hasClaim && identity.issuer === undefined)
    yield {
      path: [...path, 'roles_claim'],
      message: 'needs an external issuer: the embedded provider has no roles',
    }
}

function suggestion(name: string, names: Iterable<string>): string {
  const near = nearest(name, names)
  return near === undefined ? '' : `; did you mean "${near}"?`
}
