/** A violation, with what a person needs to find its cause. */
export interface Difference {
  /** What was compared, with the identifier of the request or movement and the key. */
  what: string
  expected: string
  found: string
}

/** How many are kept whole; the others are only counted, since one cause may produce a hundred thousand. */
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
