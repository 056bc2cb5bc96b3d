/** Something that must not be, as a person needs it to look for the cause. */
export interface Difference {
  /** What was compared, with the request's or the movement's identifier and the key. */
  what: string
  expected: string
  found: string
}

/** The first ones are kept whole, the others counted: one cause may show a hundred thousand times. */
const kept = 5_000

export class Differences {
  readonly first: Difference[] = []
  count = 0

  add(what: string, expected: string, found: string): void {
    this.count++
    if (this.first.length < kept) this.first.push({ what, expected, found })
  }

  /** Compares plain values and amounts. */
  equal(what: string, expected: string | number | bigint, found: string | number | bigint): void {
    if (expected !== found) this.add(what, String(expected), String(found))
  }
}
