import { paysSearches, type PriceTable } from '@turnpike/billing'
import {
  furtherChoiceFields,
  isOpenRouterField,
  operationOf,
  outputBoundFields,
  passThroughOf,
  treatmentOf,
  type AnyFieldTable,
  type VendorFormat,
  type VendorQuirks,
} from '@turnpike/dialects'
import { GatewayError, type OperationRequest } from '@turnpike/protocol'
import { findVendor, foldName, type PaidField } from '@turnpike/vendors'
import type { Candidate } from '../candidates/candidate.ts'
import type { CandidateRequest } from '../context/stages.ts'
import { memberOf } from '../operations/generate/billed-units.ts'
import {
  findPaidPart,
  isSpellingOf,
  isVendors,
  paidRulesOf,
  type PaidRules,
} from '../operations/paid-rules.ts'

/** Proxies unpack `extra_body`, so it may contain further members of the body. */
const wrapper = /^extra[_-]?body$/i
const mostWrappers = 8
/** Members that the gateway reads and holds for. They must not be repeated in a wrapper. */
const ownMembers: ReadonlySet<string> = new Set(
  [
    'model',
    'models',
    'messages',
    'input',
    'prompt',
    'query',
    'documents',
    'max_tokens_per_doc',
    'n',
    'best_of',
    ...furtherChoiceFields,
    ...outputBoundFields,
    'max_tool_calls',
    'stream',
    'stream_options',
    'background',
  ].map(foldName),
)

/**
 * Rejects fields that cost more at this vendor than their tokens, unless one of the model's prices covers
 * them or the operator allows them (docs/contract.md, 2 and 4.6).
 * @param sent the part of the request that is sent
 * @throws {GatewayError} 400 naming the field
 */
export function refuseUnpriced(
  { request, candidate }: CandidateRequest,
  sent: OperationRequest,
  vendorFormat: VendorFormat,
): void {
  const rules = paidRulesOf(candidate.provider)
  if (rules === undefined) return
  const { extensions } = sent
  // A vendor of the caller's own format gets every field as it was written.
  const fields =
    passThroughOf(request.format, vendorFormat) === undefined
      ? operationOf(vendorFormat, request.format.operation).fields
      : undefined
  const path =
    findUnpricedMember(
      extensions,
      { rules, prices: candidate.prices, fields, quirks: candidate.provider },
      '',
    ) ?? request.operation.services?.findUnpriced(sent, candidate, rules, fields === undefined)
  if (path !== undefined) throw unpricedError(candidate, path)
}

/**
 * Fields that the vendor gets as the gateway understood them, not as they were written: see `findPaidValue`.
 */
export function paidFieldsIn({ request, candidate }: CandidateRequest): string[] {
  const rules = paidRulesOf(candidate.provider)
  if (rules === undefined) return []
  const names = Object.keys(request.call.request.extensions)
  if (names.length === 0) return names
  return names.filter((name) => wrapper.test(name) || rules.byName.has(name))
}

function unpricedError({ provider, model }: Candidate, path: string): GatewayError {
  const title = (provider.vendor === undefined ? undefined : findVendor(provider.vendor))?.title
  const message =
    `${path}: ${title ?? provider.name} may bill this in addition to tokens, and ${model.id} has no price ` +
    'for it here. Leave it out, or ask the operator of this gateway to allow it.'
  return new GatewayError('invalid_request_error', message, { param: path })
}

interface UnpricedContext {
  rules: PaidRules
  prices: PriceTable
  /** What happens to each field; undefined if every field is sent. */
  fields: AnyFieldTable | undefined
  quirks: VendorQuirks
}

function findUnpricedMember(
  members: Record<string, unknown>,
  ground: UnpricedContext,
  before: string,
  wrappers = 0,
): string | undefined {
  for (const name in members) {
    const value = members[name]
    if (value === null || value === undefined) continue
    // A wrapped member is sent only if its wrapper is.
    if (
      wrappers === 0 &&
      (neverGoesOut(name, ground.fields) || isOpenRouterField(name, value, ground.quirks))
    )
      continue
    const path = before + name
    const fields = ground.rules.byName.get(name)
    const dear =
      fields === undefined
        ? findUnpricedSpelling(name, value, path, { ground, wrappers })
        : findUnpricedValue(value, fields, path, wrappers === 0 ? ground.prices : undefined)
    if (dear !== undefined) return dear
  }
  return undefined
}

/** A field that the vendor's format drops costs nothing, and one that it rejects has its own error. */
function neverGoesOut(name: string, fields: AnyFieldTable | undefined): boolean {
  if (fields === undefined) return false
  const treatment = treatmentOf(name, fields)
  return treatment === 'dropped' || treatment === 'refused'
}

function findUnpricedSpelling(
  name: string,
  value: unknown,
  path: string,
  { ground, wrappers }: { ground: UnpricedContext; wrappers: number },
): string | undefined {
  if (isSpellingOf(ground.rules, name) || (wrappers > 0 && ownMembers.has(foldName(name)))) return path
  if (name === 'functions') return findVendorFunction(value, ground.rules, path)
  if (typeof value !== 'object' || !wrapper.test(name)) return undefined
  if (wrappers === mostWrappers) return path
  const wrapped = value as Record<string, unknown>
  const { tools } = wrapped
  const inTools =
    findPaidPart(tools, ground.rules.tools, `${path}.tools`) ??
    findVendorFunction(tools, ground.rules, `${path}.tools`)
  return inTools ?? findUnpricedMember(wrapped, ground, `${path}.`, wrappers + 1)
}

/**
 * The first entry of a list of functions, or of tools with a function each, that the vendor runs by its name.
 */
function findVendorFunction(list: unknown, { tools }: PaidRules, path: string): string | undefined {
  if (tools.length === 0 || !Array.isArray(list)) return undefined
  for (let index = 0; index < list.length; index++) {
    if (isVendors(memberOf(list[index], 'name'))) return `${path}[${index}].name`
    if (isVendors(memberOf(memberOf(list[index], 'function'), 'name')))
      return `${path}[${index}].function.name`
  }
  return undefined
}

/** @param prices undefined for wrapped values, which the hold does not cover */
function findUnpricedValue(
  value: unknown,
  fields: readonly PaidField[],
  path: string,
  prices: PriceTable | undefined,
): string | undefined {
  const dear = findPaidPart(value, fields, path)
  if (dear === undefined || prices === undefined) return dear
  return fields.every((field) => isPriced(value, field, prices)) ? undefined : dear
}

function isPriced(value: unknown, { field, chargedBy }: PaidField, { pricing, tiers }: PriceTable): boolean {
  if (chargedBy === 'service_tier') return typeof value === 'string' && tiers?.has(value) === true
  if (chargedBy === 'web_search') return paysSearches(pricing)
  if (chargedBy === undefined) return false
  return field === 'audio' ? pricing.audio_output !== undefined : hasPriceOfEach(value, pricing)
}

function hasPriceOfEach(modalities: unknown, pricing: PriceTable['pricing']): boolean {
  const priced: Record<string, string | undefined> = {
    text: pricing.completion,
    audio: pricing.audio_output,
    image: pricing.image_output,
  }
  return (
    Array.isArray(modalities) &&
    modalities.every(
      (one) => typeof one === 'string' && Object.hasOwn(priced, one) && priced[one] !== undefined,
    )
  )
}
