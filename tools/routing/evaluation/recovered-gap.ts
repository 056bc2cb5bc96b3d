/** The results of a pair of models on some prompts, and the ranking of the prompts. */
export interface Pair {
  /** Prompts with higher scores go to the strong model first. */
  scores: ArrayLike<number>
  weak: ArrayLike<number>
  strong: ArrayLike<number>
}

/** PGR by share of prompts that the strong model answers: `curve[k]` if it answers the first k. */
function recoveredGaps({ scores, weak, strong }: Pair): Float64Array {
  const count = weak.length
  const order = Array.from({ length: count }, (_, index) => index).sort((a, b) => scores[b]! - scores[a]!)
  let gap = 0
  for (let index = 0; index < count; index++) gap += strong[index]! - weak[index]!
  const curve = new Float64Array(count + 1)
  for (let from = 0; from < count;) {
    // Prompts with the same score have no order, so each gains their average gain.
    let to = from
    let gained = 0
    for (; to < count && !(scores[order[to]!]! < scores[order[from]!]!); to++)
      gained += strong[order[to]!]! - weak[order[to]!]!
    for (let index = from; index < to; index++) curve[index + 1] = curve[index]! + gained / (to - from) / gap
    from = to
  }
  return curve
}

/** Average performance gap recovered (RouteLLM, Ong et al. 2024): 0.5 is chance. */
export function averageRecoveredGap(pair: Pair): number {
  const curve = recoveredGaps(pair)
  let area = 0
  for (let index = 1; index < curve.length; index++) area += (curve[index - 1]! + curve[index]!) / 2
  return area / (curve.length - 1)
}

/** CPT: the smallest share of prompts that must go to the strong model to recover this share of the gap. */
export function callsForRecoveredGap(pair: Pair, part: number): number {
  const curve = recoveredGaps(pair)
  const reached = curve.findIndex((gap) => gap >= part)
  return (reached === -1 ? curve.length - 1 : reached) / (curve.length - 1)
}
