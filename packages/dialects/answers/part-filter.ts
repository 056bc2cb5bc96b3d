import type { BlockStart, StreamPart } from '@turnpike/protocol'

/** Which parts of an answer its caller gets, if not all. */
export interface PartFilterOptions {
  /** One tool call per choice: the caller can handle only one, and the vendor may send several. */
  oneCall?: boolean
  /** Only the answer that was given as a tool call, without any text around it. */
  answerAlone?: boolean
}

/** Undefined: the caller gets the whole answer. */
export function createPartFilter(telling: PartFilterOptions): PartFilter | undefined {
  return telling.oneCall === true || telling.answerAlone === true ? new PartFilter(telling) : undefined
}

/** Chooses the parts that the caller gets. Parts that are left out are counted and billed all the same. */
export class PartFilter {
  readonly #options: PartFilterOptions
  readonly #choices = new Map<number, Choice>()

  constructor(telling: PartFilterOptions) {
    this.#options = telling
  }

  /** What to send when this part arrives: it, nothing, or it after the parts that waited for it. */
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

/** `waits`: it is sent at the end, unless an answer arrives that it is not part of. */
type Place = 'told' | 'waits' | 'left-out'

interface Choice {
  blocks: Map<number, Place>
  calls: number
  answered: boolean
  waiting: StreamPart[]
}
