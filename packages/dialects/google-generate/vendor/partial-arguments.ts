/** Longest list that a path may create, so that a single large index costs no memory. */
const maxItems = 10_000

/** https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/Content#PartialArg */
interface PartialArgument {
  jsonPath?: unknown
  stringValue?: unknown
  numberValue?: unknown
  boolValue?: unknown
  nullValue?: unknown
}

type Holder = Record<string, unknown> | unknown[]

/** The arguments of a call that Vertex sends value by value, each with its path. Text comes in pieces. */
export class PartialArguments {
  readonly #values: Record<string, unknown> = Object.create(null) as Record<string, unknown>

  push(pieces: unknown): void {
    if (!Array.isArray(pieces)) return
    for (const piece of pieces as (PartialArgument | null)[]) {
      if (typeof piece?.jsonPath === 'string') this.#set(stepsOf(piece.jsonPath), piece)
    }
  }

  text(): string {
    return JSON.stringify(this.#values)
  }

  #set(steps: (string | number)[], piece: PartialArgument): void {
    let holder: Holder = this.#values
    for (let at = 0; at < steps.length - 1; at++) {
      const next: unknown = read(holder, steps[at]!)
      const inner: Holder = isHolder(next) ? next : emptyFor(steps[at + 1]!)
      if (inner !== next && !write(holder, steps[at]!, inner)) return
      holder = inner
    }
    const last = steps.at(-1)
    if (last === undefined) return
    const before = read(holder, last)
    const value = valueOf(piece)
    write(holder, last, typeof value === 'string' && typeof before === 'string' ? before + value : value)
  }
}

/** Splits `$.operations[0]['a b']` into its steps. */
function stepsOf(path: string): (string | number)[] {
  const steps: (string | number)[] = []
  for (const [, name, index, quoted] of path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]/g)) {
    if (index !== undefined) steps.push(Number(index))
    else steps.push(name ?? quoted!.replaceAll(/\\(.)/g, '$1'))
  }
  return steps
}

function valueOf(piece: PartialArgument): unknown {
  return piece.stringValue ?? piece.numberValue ?? piece.boolValue ?? null
}

function emptyFor(step: string | number): Holder {
  return typeof step === 'number' ? [] : (Object.create(null) as Record<string, unknown>)
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null
}

function read(holder: Holder, step: string | number): unknown {
  if (Array.isArray(holder)) return typeof step === 'number' ? holder[step] : undefined
  return holder[step]
}

function write(holder: Holder, step: string | number, value: unknown): boolean {
  if (!Array.isArray(holder)) holder[step] = value
  else if (typeof step !== 'number' || step >= maxItems) return false
  else holder[step] = value
  return true
}
