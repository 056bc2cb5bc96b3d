/**
 * A strong model's worth by a prompt's subject. Subjects are points on a sphere of few dimensions; n-grams
 * and shape determine a prompt's position among them. One linear function of the words could not distinguish
 * dozens of subjects, and a function per subject is not needed.
 */

/** Each takes half a byte per n-gram. */
export const subjectDimensions = 24

/** How much more the nearest subjects count than others: learned positions stay close to the middle. */
export const subjectSharpness = 16

export interface Subjects {
  /** Points of length 1: `[subject * subjectDimensions + dimension]`. */
  points: Float32Array
  /** A strong model's worth on each, beyond what is usual for the benchmark. */
  worths: Float32Array
}

/** Prevents an overflow; learned positions stay far below. */
const maxExponent = 40

/** A strong model's worth at a position: the subjects' mean, by nearness (softmax). 0 without subjects. */
export function worthNear(position: Float64Array, { points, worths }: Subjects): number {
  let all = 0
  let sum = 0
  for (let subject = 0; subject < worths.length; subject++) {
    const from = subject * subjectDimensions
    // Two independent sums take half the time of one.
    let even = 0
    let odd = 0
    for (let dimension = 0; dimension < subjectDimensions; dimension += 2) {
      even += position[dimension]! * points[from + dimension]!
      odd += position[dimension + 1]! * points[from + dimension + 1]!
    }
    const nearness = even + odd
    const weight = Math.exp(Math.min(maxExponent, subjectSharpness * nearness))
    all += weight
    sum += weight * worths[subject]!
  }
  return all === 0 ? 0 : sum / all
}
