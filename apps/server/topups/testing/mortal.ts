/** A process that ends at its n-th call of a store or of Stripe, and does nothing afterwards. */
export class Mortal {
  readonly #lastCall: number
  readonly #isDone: boolean
  #calls = 0
  /** `find`: the call at which it ended. */
  endedAt: string | undefined

  /** @param isDone whether the last call took effect and only its result was lost */
  constructor(lastCall: number, isDone: boolean) {
    this.#lastCall = lastCall
    this.#isDone = isDone
  }

  /** Wraps an object so that it works as long as the process lives. */
  of<Part extends object>(part: Part): Part {
    const call = async (name: string, work: () => unknown): Promise<unknown> => {
      if (this.endedAt !== undefined) throw new Error(`ended at ${this.endedAt}`)
      if (++this.#calls !== this.#lastCall) return work()
      this.endedAt = name
      if (this.#isDone) await work()
      throw new Error(`ends at ${name}`)
    }
    return new Proxy(part, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => call(String(name), () => Reflect.apply(value, target, args))
      },
    })
  }
}
