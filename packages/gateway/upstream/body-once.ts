import type { Readable } from 'node:stream'

/**
 * A request body that releases its bytes once they are sent. undici keeps a request's body until the answer
 * has ended, so a stream of minutes would keep a long prompt in memory. Costs 5 µs more than bytes do, so it
 * is used for streams only.
 */
class BodyOnce implements Iterable<Buffer> {
  #bytes: Buffer | undefined

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  [Symbol.iterator](): Iterator<Buffer, undefined> {
    return { next: () => this.#take() }
  }

  #take(): IteratorResult<Buffer, undefined> {
    const value = this.#bytes
    this.#bytes = undefined
    return value === undefined ? { done: true, value } : { done: false, value }
  }
}

/** undici's types do not mention iterables, but its documentation of `DispatchOptions.body` does. */
export function bodyOnce(bytes: Buffer): Readable {
  const body: Iterable<Buffer> & Partial<Readable> = new BodyOnce(bytes)
  return body as Readable
}
