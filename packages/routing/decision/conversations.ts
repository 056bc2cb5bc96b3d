import type { Tier } from '../tier.ts'

/** What is remembered of a conversation between two of its requests. */
export interface Conversation {
  tier: Tier
  /** The model that was chosen last. */
  model: string
  /** The estimated input tokens of that request: what a vendor's prompt cache may contain. */
  inputTokens: number
  /** Unix epoch milliseconds. */
  usedAtMs: number
}

/** Vendors drop a cached prompt about five minutes after its last use (Anthropic's and OpenAI's default). */
export const promptCacheMs = 300_000

/**
 * The most recently routed conversations, by a hash of their owner and beginning. Bounded: the least recently
 * used one is forgotten, and then routed as if new.
 */
export class Conversations {
  readonly #limit: number
  readonly #known = new Map<string, Conversation>()

  constructor(limit = 50_000) {
    this.#limit = limit
  }

  find(id: string): Conversation | undefined {
    return this.#known.get(id)
  }

  remember(id: string, conversation: Conversation): void {
    // A Map keeps insertion order, so re-inserting makes this entry the youngest.
    this.#known.delete(id)
    this.#known.set(id, conversation)
    if (this.#known.size > this.#limit) this.#known.delete(this.#known.keys().next().value!)
  }
}
