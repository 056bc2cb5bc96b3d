/** Adds one line of a table to `sums`, multiplied by `factor`; lines are as long as `sums`. */
export function addLine(sums: Float64Array, table: ArrayLike<number>, line: number, factor: number): void {
  const from = line * sums.length
  for (let at = 0; at < sums.length; at++) sums[at]! += table[from + at]! * factor
}
