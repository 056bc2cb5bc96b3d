import { tiers, type RouteOption, type Tier } from '@turnpike/routing'
import type { Catalog, CatalogModel } from '@turnpike/vendors'
import type { CandidateBook, ModelCandidates } from '../candidates/candidate-book.ts'
import type { Candidate } from '../candidates/candidate.ts'

/** A model that auto-routing may choose, and its candidates. */
export interface ServedOption extends RouteOption, ModelCandidates {}

/** The configured models of each tier, by name. For an absent tier, models declare the tier themselves. */
export type ConfiguredTiers = Readonly<Partial<Record<Tier, readonly string[]>>>

/** Parameters that operators leave out of their own lists, since every vendor supports them. */
const usualParameters = [
  'parallel_tool_calls',
  'n',
  'logprobs',
  'temperature',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
]
const everyParameter = [...usualParameters, 'tools', 'response_format', 'reasoning']

/**
 * All models that serve a tier and can be called at the moment. Models of the sandbox, which cost almost
 * nothing and give no real answers, are included only if there are no others or the configuration names them.
 */
export function routeOptions(
  configured: ConfiguredTiers,
  catalog: Catalog,
  candidates: CandidateBook,
): ServedOption[] {
  const able = optionsOf(configured, catalog.models.filter(isRealModel), catalog, candidates)
  return able.length > 0 ? able : optionsOf(configured, catalog.models, catalog, candidates)
}

function isRealModel({ isPlaceholder }: CatalogModel): boolean {
  return isPlaceholder !== true
}

function optionsOf(
  configured: ConfiguredTiers,
  unnamed: readonly CatalogModel[],
  catalog: Catalog,
  candidates: CandidateBook,
): ServedOption[] {
  const served = new Map<CatalogModel, Tier[]>()
  for (const tier of tiers) {
    for (const model of modelsOf(tier, configured, unnamed, catalog)) {
      const known = served.get(model)
      if (known === undefined) served.set(model, [tier])
      else known.push(tier)
    }
  }
  return [...served]
    .map(([model, ofTiers]) => optionOf(model, ofTiers, candidates.of(model)))
    .filter((option) => option.candidates.length > 0)
}

function modelsOf(
  tier: Tier,
  configured: ConfiguredTiers,
  unnamed: readonly CatalogModel[],
  catalog: Catalog,
): readonly CatalogModel[] {
  const names = configured[tier]
  const named =
    names === undefined
      ? unnamed.filter((model) => model.tiers.includes(tier))
      : names.flatMap((name) => catalog.find(name) ?? [])
  return named.filter(({ operations }) => operations.includes('generate'))
}

function optionOf(
  model: CatalogModel,
  ofTiers: readonly Tier[],
  candidates: readonly Candidate[],
): ServedOption {
  return {
    model: model.id,
    tiers: ofTiers,
    contextLength: model.contextLength,
    maxOutputTokens: model.maxOutputTokens,
    modalities: model.modalities.input,
    parameters: parametersOf(model),
    candidates,
    forbidsShared: false,
    unopened: undefined,
  }
}

/** The built-in catalog's lists are complete. An operator's list names only what is special, or nothing. */
function parametersOf({ supportedParameters: listed }: CatalogModel): readonly string[] {
  if (listed.includes('max_tokens')) return listed
  return listed.length === 0 ? everyParameter : [...listed, ...usualParameters]
}
