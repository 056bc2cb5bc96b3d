import { profileOf } from '@turnpike/gateway'
import { KnownModels } from '../known-models.ts'
import type { Path } from '../mistakes/mistake.ts'
import type { ConfigurationInput } from '../schema/schema.ts'

interface Contradiction {
  path: Path
  message: string
}

/** Finds mistakes in aliases, and aliases in places that accept no alias. */
export function* findWrongAliases(input: ConfigurationInput): Generator<Contradiction> {
  const known = new KnownModels(input)
  const models = input.models ?? {}
  for (const [name, { alias_of: target, ...others }] of Object.entries(models)) {
    const path = ['models', name]
    if (target === undefined) {
      if (!name.includes('/'))
        yield { path, message: 'expected a model as <provider>/<model_id>, or an alias with `alias_of`' }
      continue
    }
    for (const member of Object.keys(others))
      yield { path: [...path, member], message: 'an alias can only have alias_of' }
    const taken = describeConflict(name, known)
    if (taken !== undefined) yield { path, message: taken }
    const mistake = mistakeOf(name, target, { known, models })
    if (mistake !== undefined) yield { path: [...path, 'alias_of'], message: mistake }
  }
  yield* whereModelsAreNamed(input)
}

function describeConflict(name: string, known: KnownModels): string | undefined {
  if (profileOf(name) !== undefined || name.startsWith('turnpike/'))
    return 'this name is reserved for auto-routing: choose another one'
  return known.isServed(name) ? 'a model already has this name: choose another one for the alias' : undefined
}

function mistakeOf(
  name: string,
  target: string,
  { known, models }: { known: KnownModels; models: NonNullable<ConfigurationInput['models']> },
): string | undefined {
  if (target === name) return 'an alias cannot refer to itself'
  if (models[target]?.alias_of !== undefined)
    return `"${target}" is itself an alias: use the model, ${models[target].alias_of}`
  if (profileOf(target) !== undefined || known.has(target)) return undefined
  return known.unknown(target)
}

/** Settings of a model must use its own name, not an alias. */
function* whereModelsAreNamed({ models, routing, limits }: ConfigurationInput): Generator<Contradiction> {
  const auto: Path = ['routing', 'auto']
  const named: [path: Path, name: string][] = []
  for (const [tier, names] of Object.entries(routing?.auto?.tiers ?? {}))
    for (const [index, name] of names.entries()) named.push([[...auto, 'tiers', tier, index], name])
  if (routing?.auto?.baseline_model !== undefined)
    named.push([[...auto, 'baseline_model'], routing.auto.baseline_model])
  for (const [tier, { models: limited }] of Object.entries(limits?.tiers ?? {}))
    for (const name of Object.keys(limited ?? {}))
      named.push([['limits', 'tiers', tier, 'models', name], name])
  for (const [path, name] of named) {
    const target = models?.[name]?.alias_of
    if (target !== undefined) yield { path, message: `is an alias: use the model, ${target}` }
  }
}
