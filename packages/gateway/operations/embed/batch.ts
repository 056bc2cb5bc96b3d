import {
  requireComparable,
  requireSoundEmbeddings,
  type AnswerHeaders,
  type BridgeHead,
  type EmbedCaller,
  type EmbedFormat,
  type Vector,
  type WholeAnswer,
} from '@turnpike/dialects'
import { totalInputTokens, type EmbedInput, type EmbedRequest, type Usage } from '@turnpike/protocol'
import type { BatchBounds } from '@turnpike/vendors'
import type { Batch, BatchRules, InputSeen, Part } from '../rules.ts'
import { bounds } from './bounds.ts'
import { estimateItem, inputSeen } from './input.ts'

/** Splits requests with more texts than a vendor takes at once. */
export const batch: BatchRules<EmbedRequest> = {
  bounds,
  fits: ({ inputs }, bounds) => partsOf(inputs.length, (place) => inputs[place]!, bounds).length === 1,
  begin: (request) => new EmbedBatch(request),
}

class EmbedBatch implements Batch<EmbedRequest> {
  readonly #request: EmbedRequest
  /** By the input's position. */
  readonly #vectors: (Vector | undefined)[]
  /** The first vector of each part. */
  readonly #samples: Vector[] = []
  #tokens = 0
  /** Whether a part's usage is missing, impossible or zero. */
  #isUncounted = false

  constructor(request: EmbedRequest) {
    this.#request = request
    this.#vectors = Array.from({ length: request.inputs.length })
  }

  missing(bounds: BatchBounds | undefined): Part<EmbedRequest>[] {
    const { inputs } = this.#request
    const places = inputs.flatMap((_, place) => (this.#vectors[place] === undefined ? [place] : []))
    const lists = partsOf(places.length, (at) => inputs[places[at]!]!, bounds ?? unbounded)
    return lists.map((list) => this.#part(list.map((at) => places[at]!)))
  }

  #part(places: readonly number[]): Part<EmbedRequest> {
    const inputs = places.map((place) => this.#request.inputs[place]!)
    return { places, request: { ...this.#request, inputs, isSingle: false, isPart: true } }
  }

  take(
    { request, places }: Part<EmbedRequest>,
    vendorFormat: EmbedFormat,
    body: Buffer,
    headers: AnswerHeaders,
  ): void {
    const embeddings = vendorFormat.operations.embed.decode(body, request, headers)
    requireSoundEmbeddings(embeddings, request)
    const { vectors, usage } = embeddings
    for (let at = 0; at < places.length; at++) this.#vectors[places[at]!] = vectors[at]
    this.#samples.push(vectors[0]!)
    const tokens = usage === undefined || usage.disbelieved !== undefined ? 0 : totalInputTokens(usage)
    if (tokens === 0) this.#isUncounted = true
    this.#tokens += tokens
  }

  whole(format: EmbedCaller, head: BridgeHead): WholeAnswer {
    const vectors = this.#vectors.filter((vector) => vector !== undefined)
    const usage = this.#usage()
    requireSoundEmbeddings({ vectors, usage }, this.#request)
    requireComparable(this.#samples)
    const body = format.formatEmbeddings({ vectors, usage }, head, this.#request)
    return { usage, outputText: '', textlessTokens: 0, reasoningSeen: false, body }
  }

  #usage(): Usage | undefined {
    if (this.#isUncounted) return undefined
    const raw = { prompt_tokens: this.#tokens, total_tokens: this.#tokens, parts: this.#samples.length }
    return { inputTokens: this.#tokens, raw }
  }

  inputSeen(parts: readonly Part<EmbedRequest>[]): InputSeen {
    const places = new Set(parts.flatMap((part) => part.places))
    const isAnswered = (place: number): boolean => this.#vectors[place] !== undefined
    const { inputs } = this.#request
    // What a vendor has counted need not be counted again.
    const counted = this.#isUncounted ? 0 : this.#tokens
    const uncounted = inputs.filter(
      (_, place) => (this.#isUncounted && isAnswered(place)) || (places.has(place) && !isAnswered(place)),
    )
    const seen = inputSeen({ ...this.#request, inputs: uncounted })
    return { ...seen, mediaTokens: seen.mediaTokens + counted }
  }
}

const unbounded: BatchBounds = { inputs: Infinity }

/** Splits the positions into lists that a vendor takes at once: in order, each as long as possible. */
function partsOf(
  length: number,
  inputAt: (at: number) => EmbedInput,
  { inputs: most, tokens: mostTokens = Infinity }: BatchBounds,
): number[][] {
  const parts: number[][] = []
  let open: number[] = []
  let tokens = 0
  for (let at = 0; at < length; at++) {
    const ofInput = estimateItem(inputAt(at))
    if (open.length > 0 && (open.length >= most || tokens + ofInput > mostTokens)) {
      parts.push(open)
      open = []
      tokens = 0
    }
    open.push(at)
    tokens += ofInput
  }
  if (open.length > 0) parts.push(open)
  return parts
}
