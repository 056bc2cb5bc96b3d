import { hash } from 'node:crypto'
import { storableText } from '../database/storable-text.ts'

/** Callers may send a new set with every request, so the cache is bounded. */
const maxRemembered = 20_000
const idBytes = 16

/** Names sets of tags, and remembers which ones are stored in `tag_sets`. */
export class TagSets {
  readonly #ids = new Map<string, string>()
  readonly #stored = new Set<string>()

  /** The same for the same tags in any order; '' without tags. */
  idOf(tags: readonly string[]): string {
    if (tags.length === 0) return ''
    const text = JSON.stringify(tags)
    let id = this.#ids.get(text)
    if (id === undefined) {
      id = tagSetId(tags)
      if (this.#ids.size >= maxRemembered) this.#ids.clear()
      this.#ids.set(text, id)
    }
    return id
  }

  isStored(accountId: string, id: string): boolean {
    return this.#stored.has(accountId + id)
  }

  /** Call this once the transaction is committed. */
  markStored(sets: readonly { accountId: string; tagSet: string }[]): void {
    if (this.#stored.size >= maxRemembered) this.#stored.clear()
    for (const { accountId, tagSet } of sets) this.#stored.add(accountId + tagSet)
  }
}

/** The tags as they are stored: each once, sorted. */
export function canonicalTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map(storableText))].sort()
}

/** Half of SHA-256, so no two sets share an identifier, not even by intent. */
function tagSetId(tags: readonly string[]): string {
  return hash('sha256', JSON.stringify(canonicalTags(tags)), 'buffer')
    .subarray(0, idBytes)
    .toString('base64url')
}
