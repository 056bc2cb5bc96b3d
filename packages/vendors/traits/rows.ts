/** How models from a version on differ from earlier ones. */
export interface TraitRow<Traits> {
  /** The first version that it applies to. */
  from: number
  /** Only below this version. */
  below?: number
  /** Only for these families, or for all except these. */
  only?: readonly string[]
  except?: readonly string[]
  traits: Partial<Traits>
}

/** A model's name, parsed: its family and its version, such as 4.5. */
export interface NamedModel {
  family: string
  version: number
}

/** A model's traits: those of the very first model, with the changes of each matching row, in order. */
export function traitsOf<Traits>(
  first: Traits,
  rows: readonly TraitRow<Traits>[],
  { family, version }: NamedModel,
): Traits {
  let traits = first
  for (const { from, below, only, except, traits: changed } of rows) {
    if (version < from || (below !== undefined && version >= below)) continue
    if (only?.includes(family) === false || except?.includes(family) === true) continue
    traits = { ...traits, ...changed }
  }
  return traits
}
