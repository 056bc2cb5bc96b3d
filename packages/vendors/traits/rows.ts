/** What models take otherwise than those before them. */
export interface TraitRow<Traits> {
  /** The first version of which it holds. */
  from: number
  /** Only below this version. */
  below?: number
  /** Of these families alone, or of all but these. */
  only?: readonly string[]
  except?: readonly string[]
  traits: Partial<Traits>
}

/** A model by its name: its family and its version, as 4.5. */
export interface NamedModel {
  family: string
  version: number
}

/** The traits of a model: those of the first model of all, and what each row changes of them, in order. */
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
