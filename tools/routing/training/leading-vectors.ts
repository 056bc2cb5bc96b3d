/** Enough for the directions that matter; those with nearly equal eigenvalues may be rotated. */
const rounds = 300

/** Eigenvectors of a symmetric matrix, those of the largest eigenvalues first, by orthogonal iteration. */
export function leadingVectors(matrix: readonly Float64Array[], count: number): Float64Array[] {
  const size = matrix.length
  let vectors = Array.from({ length: count }, (_, index) =>
    Float64Array.from({ length: size }, (_unused, at) => Math.sin((index + 1) * (at + 1) * 1.7)),
  )
  for (let round = 0; round < rounds; round++) {
    vectors = vectors.map((vector) => Float64Array.from(matrix, (line) => product(line, vector)))
    for (const [index, vector] of vectors.entries()) {
      for (const before of vectors.slice(0, index)) {
        const shared = product(before, vector)
        for (let at = 0; at < size; at++) vector[at]! -= shared * before[at]!
      }
      const length = Math.sqrt(product(vector, vector))
      // Zero if the matrix has no further directions.
      for (let at = 0; at < size; at++) vector[at] = length > 1e-12 ? vector[at]! / length : 0
    }
  }
  return vectors
}

function product(one: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!
  return sum
}
