import { tiers, type RouteOption, type Tier } from '@turnpike/routing'
import type { Catalog, CatalogModel } from '@turnpike/vendors'
import type { CandidateBook, ModelCandidates } from '../candidates/candidate-book.ts'
import type { Candidate } from '../candidates/candidate.ts'

/** A model that auto-routing may choose, and who serves it. */
export interface ServedOption extends RouteOption, ModelCandidates {}

/** The models of a tier, by name; a tier that is absent has the models that name it themselves. */
export type ConfiguredTiers = Readonly<Partial<Record<Tier, readonly string[]>>>

/** What an operator leaves out of a list of its own, since every vendor knows it. */
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
 * All models that serve a tier and can be called at the moment; the sandbox's, which cost next to nothing and
 * answer nothing, only where there are no others or the configuration names them.
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

/** The built-in catalog's lists are complete; an operator's names what is special, or nothing at all. */
function parametersOf({ supportedParameters: listed }: CatalogModel): readonly string[] {
  if (listed.includes('max_tokens')) return listed
  return listed.length === 0 ? everyParameter : [...listed, ...usualParameters]
}
