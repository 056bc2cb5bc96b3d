/* What a strong model is worth on a prompt's subject. Subjects are points on a sphere of few dimensions;
   n-grams and shape say where a prompt stands among them. Which of dozens of subjects it is cannot be told
   by one line through the words, nor is a line for each subject needed. */

/** Each takes half a byte of each n-gram. */
export const subjectDimensions = 24

/** How much the nearest subjects count before others: positions are learned held near the middle. */
export const subjectSharpness = 16

export interface Subjects {
  /** Points of length 1: `[subject * subjectDimensions + dimension]`. */
  points: Float32Array
  /** What a strong model is worth on each, beyond what is usual for the benchmark. */
  worths: Float32Array
}

/** So that nothing overflows; positions that are learned stay far below. */
const maxExponent = 40

/** What a strong model is worth at a position: the subjects' mean, by how near (softmax). 0 without any. */
export function worthNear(position: Float64Array, { points, worths }: Subjects): number {
  let all = 0
  let sum = 0
  for (let subject = 0; subject < worths.length; subject++) {
    const from = subject * subjectDimensions
    // Two sums, of which neither waits for the other, take half the time of one.
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
