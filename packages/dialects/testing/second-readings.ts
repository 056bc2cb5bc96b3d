import type fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Names } from '../json/names.ts'
import { scanObject } from '../json/scan.ts'
import { holdsForAll } from './holds-for-all.ts'

/** The path at which a body is ambiguous in a name that the gateway acts on. Undefined if it is not. */
export function secondReading(names: Names, body: string): string | undefined {
  return scanObject(Buffer.from(body), names).ambiguous?.path
}

/**
 * Checks that ambiguous bodies are found, and no other ones.
 * @param bodies what occurs twice, in which body, and at which path
 */
export function findsSecondReadings(
  names: Names,
  bodies: readonly (readonly [what: string, body: string, path: string])[],
  anyRequest: fc.Arbitrary<object>,
): void {
  it.each(bodies)('finds a second reading of %s', (_what, body, path) => {
    expect(secondReading(names, body)).toBe(path)
  })

  holdsForAll('finds no second reading in any valid request', [anyRequest], (body) => {
    expect(secondReading(names, JSON.stringify(body))).toBeUndefined()
  })
}
