import type { EchoedPrompts } from '../completion-context.ts'

type Json = Record<string, unknown>

/**
 * Separates prompts that an answer repeats from generated text, since they are not billed as output. The text
 * of a prompt in token numbers is unknown. In a stream it is the first piece of a choice; in a whole answer
 * it is estimated from its share of the tokens.
 */
export class EchoApart {
  readonly #asked: EchoedPrompts
  readonly #isWhole: boolean
  /** What remains of the prompt, by choice. */
  readonly #rests = new Map<number, string | number>()

  constructor(asked: EchoedPrompts, isWhole: boolean) {
    this.#asked = asked
    this.#isWhole = isWhole
  }

  /** Moves the echoed text of a chunk or whole answer into the choices' `echo`. */
  of(body: unknown): unknown {
    if (typeof body !== 'object' || body === null) return body
    const { choices } = body as { choices?: unknown }
    return Array.isArray(choices)
      ? { ...body, choices: choices.map((one, at) => this.#apart(one, at)) }
      : body
  }

  #apart(choice: unknown, position: number): unknown {
    if (typeof choice !== 'object' || choice === null) return choice
    const { text, index, ...others } = choice as Json
    if (typeof text !== 'string' || text === '') return choice
    const at = typeof index === 'number' ? index : position
    const length = this.#countEchoed(text, at)
    if (length === 0) return choice
    return { ...others, index: at, delta: { echo: text.slice(0, length), content: text.slice(length) } }
  }

  /** How many characters of this piece belong to the prompt. */
  #countEchoed(text: string, index: number): number {
    const { prompts, choices, maxTokens } = this.#asked
    const rest = this.#rests.get(index) ?? prompts[Math.floor(index / choices)] ?? ''
    if (typeof rest === 'number') {
      this.#rests.set(index, '')
      return this.#isWhole ? Math.floor((text.length * rest) / (rest + maxTokens)) : text.length
    }
    if (rest.startsWith(text)) {
      this.#rests.set(index, rest.slice(text.length))
      return text.length
    }
    this.#rests.set(index, '')
    return text.startsWith(rest) ? rest.length : 0
  }
}
