import { FastestFirst, orderByWeight } from '@turnpike/routing'
import type { ModelUpstream } from '@turnpike/vendors'
import type { Candidate } from './candidate.ts'
import type { UpstreamHealth } from './health/upstream-health.ts'

/** `listed`: the order of the configuration, or drawn by weights if it has some. */
export const upstreamOrders = ['listed', 'price', 'latency'] as const
export type UpstreamOrder = (typeof upstreamOrders)[number]

/** The assumed input tokens per output token, used only to compare prices. */
const inputPerOutput = 3n

/**
 * The order in which to try the candidates of a model: its upstreams in the operator's order, and for each
 * upstream its provider's keys in rotation. Belongs to the node, so that latencies outlive a catalog.
 */
export class CandidateOrder {
  readonly #order: UpstreamOrder
  readonly #random: () => number
  /** Which key is next, by the health of an upstream with its first key. */
  readonly #turns = new Map<UpstreamHealth, number>()
  /** By model, separately for streams and plain answers. */
  readonly #fastest = { stream: new Map<string, FastestFirst>(), plain: new Map<string, FastestFirst>() }

  /** @param random from 0 up to 1 */
  constructor(order: UpstreamOrder, random: () => number = Math.random) {
    this.#order = order
    this.#random = random
  }

  /** @param candidates of one model, at least one, in listed order */
  of(candidates: readonly Candidate[], streamed: boolean): readonly Candidate[] {
    if (candidates.length < 2) return candidates
    // The account's own keys go first, in the account's order.
    const shared = candidates[0]!.own === undefined ? 0 : candidates.findIndex(({ own }) => own === undefined)
    if (shared === -1) return candidates
    if (shared > 0) return [...candidates.slice(0, shared), ...this.of(candidates.slice(shared), streamed)]
    const upstreams = byUpstream(candidates).map((ofKeys) => this.#inTurn(ofKeys))
    return upstreams.length < 2 ? upstreams[0]! : this.#arrange(upstreams, streamed).flat()
  }

  #arrange(upstreams: Candidate[][], streamed: boolean): Candidate[][] {
    const firsts = upstreams.map(([first]) => first!)
    if (this.#order === 'price') return upstreams.toSorted(([a], [b]) => comparePrices(a!, b!))
    if (this.#order === 'latency') return this.#byLatency(firsts, streamed).map((index) => upstreams[index]!)
    if (firsts.every(({ upstream }) => upstream.weight === undefined)) return upstreams
    const whole = byRegions(upstreams)
    const weights = whole.map(([ofFirst]) => ofFirst![0]!.upstream.weight ?? 0)
    return orderByWeight(weights, this.#random).flatMap((index) => whole[index]!)
  }

  #byLatency(firsts: readonly Candidate[], streamed: boolean): number[] {
    const kind = streamed ? 'stream' : 'plain'
    const { id } = firsts[0]!.model
    let fastest = this.#fastest[kind].get(id)
    if (fastest === undefined) {
      fastest = new FastestFirst()
      this.#fastest[kind].set(id, fastest)
    }
    return fastest.order(firsts.map(({ health }) => health.latency[kind].averageMs))
  }

  #inTurn(ofKeys: Candidate[]): Candidate[] {
    if (ofKeys.length < 2) return ofKeys
    const { health } = ofKeys[0]!
    const turn = this.#turns.get(health) ?? 0
    this.#turns.set(health, (turn + 1) % ofKeys.length)
    return [...ofKeys.slice(turn), ...ofKeys.slice(0, turn)]
  }
}

/** The regions of one upstream share its weight, and keep their order. */
function byRegions(upstreams: Candidate[][]): Candidate[][][] {
  const groups: Candidate[][][] = []
  for (const one of upstreams) {
    const group = groups.at(-1)
    if (group !== undefined && isOtherRegion(group[0]![0]!.upstream, one[0]!.upstream)) group.push(one)
    else groups.push([one])
  }
  return groups
}

function isOtherRegion(first: ModelUpstream, other: ModelUpstream): boolean {
  if (first.region === undefined || other.region === undefined) return false
  return first.provider === other.provider && first.model === other.model && first.region !== other.region
}

function byUpstream(candidates: readonly Candidate[]): Candidate[][] {
  const groups: Candidate[][] = []
  for (const candidate of candidates) {
    const group = groups.at(-1)
    if (group?.[0]?.upstream === candidate.upstream) group.push(candidate)
    else groups.push([candidate])
  }
  return groups
}

function comparePrices(left: Candidate, right: Candidate): number {
  const difference = usualPrice(left) - usualPrice(right)
  return difference < 0n ? -1 : Number(difference > 0n)
}

function usualPrice({ prices }: Candidate): bigint {
  const { inputTokens, outputTokens } = prices.bands[0]!.perUnit
  return inputPerOutput * inputTokens + outputTokens
}
