import fc from 'fast-check'
import { it } from 'vitest'

const seed = Date.now() % 2 ** 31

/** A property test over these kinds of values. The seed in its name reproduces the same values. */
export function holdsForAll<Values extends [unknown, ...unknown[]]>(
  name: string,
  kinds: { [Place in keyof Values]: fc.Arbitrary<Values[Place]> },
  check: (...values: Values) => void,
  numRuns = 100,
): void {
  it(`${name} (seed ${seed})`, () => {
    fc.assert(fc.property<Values>(...kinds, check), { seed, numRuns })
  })
}
