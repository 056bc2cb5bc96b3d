import type { ModelResponse, ResponseBlock, StreamPart } from '@turnpike/protocol'

/**
 * Lets the first call of each choice through, and no other: for a caller that can handle one alone, and
 * vendors whose models cannot be kept from making several. What is not told is paid all the same.
 */
export class FirstCalls {
  /** By choice: which block its first call is. */
  readonly #first = new Map<number, number>()
  /** Blocks that are left out, as `choice block`. */
  readonly #others = new Set<string>()

  /** Whether the caller is told of this part. */
  tells(part: StreamPart): boolean {
    switch (part.type) {
      case 'block-start': {
        if (part.kind !== 'tool-call') return true
        const first = this.#first.get(part.choice)
        if (first === undefined) this.#first.set(part.choice, part.block)
        else this.#others.add(`${part.choice} ${part.block}`)
        return first === undefined
      }
      case 'block-delta':
      case 'block-end':
        return this.#others.size === 0 || !this.#others.has(`${part.choice} ${part.block}`)
      case 'response-start':
      case 'usage':
      case 'finish':
      case 'error':
        return true
    }
  }
}

/** The same of a whole answer. */
export function withFirstCalls(response: ModelResponse): ModelResponse {
  return {
    ...response,
    choices: response.choices.map((choice) => {
      const first = choice.blocks.findIndex(isCall)
      return { ...choice, blocks: choice.blocks.filter((block, at) => at === first || !isCall(block)) }
    }),
  }
}

function isCall({ kind }: ResponseBlock): boolean {
  return kind === 'tool-call'
}
