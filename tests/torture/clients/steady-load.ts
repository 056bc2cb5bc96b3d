import type { RequestPlan } from './requests.ts'
import type { World } from '../world/world.ts'

const tickMs = 10
/**
 * A machine that has much else to do answers slower than it is asked. What becomes of ever more requests that
 * wait is a test of overload, which refuses them: here each of them must be answered.
 */
const mostUnderWay = 100

/** Keys of accounts that may never be refused for want of credit, by their places. */
export function richSlots(world: World): number[] {
  return [...world.slots.keys()].filter((slot) => world.slots[slot]!.account.wealth === 'ample')
}

/** A short answer, every other one streamed, that nothing of the request itself disturbs. */
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
 * So many requests a second while the work goes on, whatever became of those before, but for what would be
 * too many under way; resolves once all of them are answered.
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
