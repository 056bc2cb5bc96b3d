import type { Random } from '@turnpike/simulators'
import { between, oneOf, weighted } from '../chance.ts'
import { models, thinkingModel } from '../world/prices.ts'

/** A client's next request, drawn from the seed alone; only the key that is in its slot by then is not. */
export interface RequestPlan {
  number: number
  kind: RequestKind
  /** The slot whose key the client uses. */
  slot: number
  /** Selects the node; in [0, 1). */
  node: number
  stream: boolean
  model: string
  /** Tells the vendor what to answer, and how. */
  prompt: string
  maxTokens: number | undefined
  /** A second, smaller bound in the same request. */
  smallerBound: number | undefined
  includeUsage: boolean
  /** The client closes the connection after this many events, or this many milliseconds. */
  leaves: { afterEvents: number } | { afterMs: number } | undefined
  bad: BadRequest | undefined
  /** Uses a key that was revoked or rotated away, if there is one. */
  endedKey: boolean
  tags: string[]
  /** Pause before the client's next request. */
  pauseMs: number
}

const kinds = {
  whole: 52,
  slow: 10,
  bounded: 8,
  unreported: 3,
  leaving: 12,
  cut: 5,
  'error-event': 3,
  'vendor-error': 4,
  malformed: 1,
  silent: 0.6,
  stalled: 0.6,
  endless: 0.8,
  'two-bounds': 4,
  'ignored-bound': 4,
  absurd: 3,
  thinking: 5,
  bad: 4,
}

/** How a request is expected to end if nothing else interferes. */
export type RequestKind = keyof typeof kinds

const badRequests = ['json', 'model', 'messages', 'tags', 'key', 'field'] as const
export type BadRequest = (typeof badRequests)[number]

const words = [
  'one',
  'of',
  'many',
  'thousand',
  'a',
  'credit',
  'ledger',
  'to',
  'overspend',
  'x',
  'naïve',
  '日本語',
]
/** Token counts that no answer of these models can have used. */
const absurdUsage = ['9e15', '1e308', '-5', '0.5', '123456789012']
/** More than the output that the hold of a request without a bound covers. */
const endlessTokens = { least: 4_500, most: 7_000 }

export function nextRequest(random: Random, number: number, slots: number): RequestPlan {
  const kind = weighted(random, kinds)
  const slot = between(random, 0, slots - 1)
  const node = random()
  const stream = kind === 'endless' || random() < 0.6
  const text = Array.from({ length: between(random, 1, 60) }, () => oneOf(random, words)).join(' ')
  const knobs = knobsOf(random, kind)
  const maxTokens = boundOf(random, kind)
  const leaves = kind === 'leaving' || kind === 'thinking' ? leavingOf(random, stream) : undefined
  return {
    number,
    kind,
    slot,
    node,
    stream,
    model: kind === 'thinking' ? thinkingModel : oneOf(random, Object.keys(models)),
    prompt: `#${number} ${text} [sandbox: ${knobs}]`,
    maxTokens,
    smallerBound: kind === 'two-bounds' ? between(random, 1, 5) : undefined,
    includeUsage: random() < 0.7,
    leaves,
    bad: kind === 'bad' ? oneOf(random, badRequests) : undefined,
    endedKey: random() < 0.03,
    tags: Array.from({ length: between(random, 0, 3) }, () => `team:${between(random, 1, 9)}`),
    pauseMs: between(random, 0, 200),
  }
}

function boundOf(random: Random, kind: RequestKind): number | undefined {
  const isBounded = kind !== 'endless' && random() < 0.6
  if (kind === 'bounded') return between(random, 1, 20)
  if (kind === 'ignored-bound') return between(random, 5, 50)
  return isBounded || kind === 'two-bounds' ? between(random, 60, 900) : undefined
}

function knobsOf(random: Random, kind: RequestKind): string {
  const events = between(random, 0, 12)
  switch (kind) {
    case 'slow': {
      const pace = between(random, 40, 200)
      return `delay=${between(random, 0, 400)}ms pace=${pace}/s tokens=${between(random, 5, 60)}`
    }
    case 'bounded':
      return 'pace=0 tokens=40'
    case 'unreported':
      return 'pace=0 no_usage'
    case 'leaving':
      return `delay=${between(random, 0, 100)}ms pace=150/s tokens=${between(random, 10, 80)}`
    case 'cut':
      return `pace=0 cut=${events}`
    case 'error-event':
      return `pace=0 error_after=${events}`
    case 'vendor-error':
      return `pace=0 error=${oneOf(random, [400, 401, 403, 404, 429, 500, 502, 503, 529])}`
    case 'malformed':
      return 'pace=0 malformed'
    case 'silent':
      return 'hang'
    case 'stalled':
      return `pace=0 stall=${events}`
    case 'endless':
      return `pace=0 tokens=${between(random, endlessTokens.least, endlessTokens.most)}`
    case 'two-bounds':
      return `pace=0 tokens=${between(random, 5, 600)}`
    case 'ignored-bound':
      return `pace=0 ignore_bound tokens=${between(random, 50, 3_000)}`
    case 'absurd':
      return `pace=0 tokens=${between(random, 1, 60)} usage=${oneOf(random, absurdUsage)}`
    case 'thinking':
      return `unseen=${between(random, 5, 60)} pace=150/s tokens=${between(random, 5, 40)}`
    case 'bad':
      return 'pace=0'
    default:
      return wholeKnobs(random)
  }
}

function wholeKnobs(random: Random): string {
  const knobs = [`pace=0 tokens=${between(random, 1, 60)}`]
  if (random() < 0.2) knobs.push(`cached=${between(random, 1, 30)}`)
  if (random() < 0.2) knobs.push(`reasoning=${between(random, 1, 20)}`)
  if (random() < 0.1) knobs.push('no_done')
  return knobs.join(' ')
}

function leavingOf(random: Random, stream: boolean): RequestPlan['leaves'] {
  if (stream && random() < 0.5) return { afterEvents: between(random, 1, 30) }
  return { afterMs: between(random, 1, 600) }
}
