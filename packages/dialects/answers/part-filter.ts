import type { BlockStart, StreamPart } from '@turnpike/protocol'

/** What of an answer its caller is told, where that is not all. */
export interface PartFilterOptions {
  /** One tool call of each choice: the caller can handle no more, and the vendor may give several. */
  oneCall?: boolean
  /** The answer that was given as a call of a tool, and no text around it. */
  answerAlone?: boolean
}

/** Undefined: all of an answer is told. */
export function createPartFilter(telling: PartFilterOptions): PartFilter | undefined {
  return telling.oneCall === true || telling.answerAlone === true ? new PartFilter(telling) : undefined
}

/**
 * Chooses the parts that a caller is told of one answer. What is not told is counted and paid all the same.
 */
export class PartFilter {
  readonly #options: PartFilterOptions
  readonly #choices = new Map<number, Choice>()

  constructor(telling: PartFilterOptions) {
    this.#options = telling
  }

  /** What is told where this part comes: it, nothing, or with it what waited for it. */
  filter(part: StreamPart): readonly StreamPart[] {
    switch (part.type) {
      case 'block-start':
      case 'block-delta':
      case 'block-end':
      case 'finish': {
        const choice = this.#choice(part.choice)
        if (part.type === 'block-start') choice.blocks.set(part.block, this.#placeOf(part, choice))
        if (part.type === 'finish') return [...choice.waiting.splice(0), part]
        const place = choice.blocks.get(part.block)
        if (place === 'waits') choice.waiting.push(part)
        return place === 'waits' || place === 'left-out' ? [] : [part]
      }
      case 'response-start':
      case 'usage':
      case 'error':
        return [part]
    }
  }

  #placeOf({ kind, isAnswer }: BlockStart, choice: Choice): Place {
    if (kind === 'tool-call' && this.#options.oneCall === true) {
      choice.calls++
      return choice.calls > 1 ? 'left-out' : 'told'
    }
    if (kind !== 'text' || this.#options.answerAlone !== true) return 'told'
    if (choice.answered) return 'left-out'
    if (isAnswer !== true) return 'waits'
    choice.answered = true
    choice.waiting.length = 0
    return 'told'
  }

  #choice(index: number): Choice {
    let choice = this.#choices.get(index)
    if (choice === undefined) {
      choice = { blocks: new Map(), calls: 0, answered: false, waiting: [] }
      this.#choices.set(index, choice)
    }
    return choice
  }
}

/** `waits`: it is told at the end, unless an answer comes that it is no part of. */
type Place = 'told' | 'waits' | 'left-out'

interface Choice {
  blocks: Map<number, Place>
  calls: number
  answered: boolean
  waiting: StreamPart[]
}
