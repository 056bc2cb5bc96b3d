/** How one pair of models did on some prompts, and how the prompts are ranked. */
export interface Pair {
  /** The higher, the sooner the strong model is asked. */
  scores: ArrayLike<number>
  weak: ArrayLike<number>
  strong: ArrayLike<number>
}

/** PGR by share of prompts that the strong model answers: `curve[k]` where it is asked for the first k. */
function recoveredGaps({ scores, weak, strong }: Pair): Float64Array {
  const count = weak.length
  const order = Array.from({ length: count }, (_, index) => index).sort((a, b) => scores[b]! - scores[a]!)
  let gap = 0
  for (let index = 0; index < count; index++) gap += strong[index]! - weak[index]!
  const curve = new Float64Array(count + 1)
  for (let from = 0; from < count;) {
    // Prompts of one score come in any order: each gains what they gain on average.
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

/** CPT: the least share of prompts that must go to the strong model to recover this part of the gap. */
export function callsForRecoveredGap(pair: Pair, part: number): number {
  const curve = recoveredGaps(pair)
  const reached = curve.findIndex((gap) => gap >= part)
  return (reached === -1 ? curve.length - 1 : reached) / (curve.length - 1)
}
