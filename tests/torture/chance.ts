import { seededRandom, type Random } from '@turnpike/simulators'

/** A separate stream of random numbers for each part, so that what one part draws does not affect another. */
export function randomOf(seed: number, part: string): Random {
  let mixed = seed >>> 0
  for (const character of part) mixed = Math.imul(mixed ^ character.codePointAt(0)!, 0x01000193) >>> 0
  return seededRandom(mixed)
}

/** A whole number from `least` to `most`, both included. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

export function oneOf<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)]!
}

/** One of the names, with a probability proportional to its weight. */
export function weighted<Name extends string>(random: Random, weights: Record<Name, number>): Name {
  const names = Object.keys(weights) as Name[]
  let left = random() * names.reduce((sum, name) => sum + weights[name], 0)
  for (const name of names) {
    left -= weights[name]
    if (left < 0) return name
  }
  return names.at(-1)!
}

/** Pauses with a mean of `meanMs`: most are short, some are long. */
export function pauseOf(random: Random, meanMs: number): number {
  return Math.round(-Math.log(1 - random()) * meanMs)
}
