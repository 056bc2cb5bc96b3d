import type { RequestPlan } from './requests.ts'
import type { World } from '../world/world.ts'

const tickMs = 10
/**
 * A busy machine answers more slowly than requests are sent. Letting ever more requests wait would test
 * overload, where the gateway refuses some; here each of them must be answered.
 */
const mostUnderWay = 100

/** Slots whose keys belong to accounts that may never be refused for lack of credit. */
export function richSlots(world: World): number[] {
  return [...world.slots.keys()].filter((slot) => world.slots[slot]!.account.wealth === 'ample')
}

/** A request for a short answer, every other one streamed, that does nothing unusual by itself. */
export function steadyPlan(
  number: number,
  slot: number,
  node: number,
  { maxTokens, pace = 0 }: { maxTokens: number; pace?: number },
): RequestPlan {
  const knobs = `pace=${pace === 0 ? 0 : `${pace}/s`} tokens=${3 + (number % 20)}`
  return {
    number,
    kind: 'whole',
    slot,
    node,
    stream: number % 2 === 0,
    model: 'vendor/echo',
    prompt: `#${number} what is said while the books are away [sandbox: ${knobs}]`,
    maxTokens,
    smallerBound: undefined,
    includeUsage: true,
    leaves: undefined,
    bad: undefined,
    endedKey: false,
    tags: ['outage'],
    pauseMs: 0,
  }
}

/**
 * Sends this many requests a second while the work is in progress, whatever the state of earlier ones, up to
 * a limit of concurrent requests; resolves once all of them are answered.
 */
export async function underLoad(
  perSecond: number,
  request: (count: number) => Promise<void>,
  work: () => Promise<void>,
): Promise<void> {
  const sent: Promise<void>[] = []
  let underWay = 0
  let passed = 0
  const startedAtMs = performance.now()
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAtMs) * perSecond) / 1_000)
    for (; passed < due; passed++) {
      if (underWay >= mostUnderWay) continue
      underWay++
      sent.push(request(sent.length).finally(() => underWay--))
    }
  }, tickMs)
  try {
    await work()
  } finally {
    clearInterval(timer)
    await Promise.all(sent)
  }
}
