import { expect } from 'vitest'
import type { TestKey, TestNode } from '../../../../tests/nodes/test-node.ts'

export interface Counts {
  allowed: number
  refused: number
  /** Responses that are neither 200 nor 429. */
  failed: number
  /** From the first request to the last response. The bucket refilled for at most this long. */
  seconds: number
  /** From the first response to the last request: for so long requests came, also on a busy machine. */
  askedSeconds: number
}

/** How long a busy machine may take until a request is refused. */
const longestMs = 60_000

interface LoadOptions {
  callers?: number
  ms?: number
  messages: readonly object[]
  /** Continues until a request is refused, which may take longer on a busy machine. */
  untilRefused?: boolean
}

/** Sends requests through all nodes in turn, with all keys in turn, by several callers for a while. */
export async function load(
  through: readonly TestNode[],
  keys: readonly TestKey[],
  { callers = 8, ms = 2_500, messages, untilRefused = true }: LoadOptions,
): Promise<Counts> {
  const counts: Counts = { allowed: 0, refused: 0, failed: 0, seconds: 0, askedSeconds: 0 }
  const startedMs = performance.now()
  let firstAnswerMs = Infinity
  let lastAskedMs = startedMs
  let turn = 0
  const call = async (): Promise<void> => {
    for (;;) {
      const passedMs = performance.now() - startedMs
      if (passedMs >= (counts.refused > 0 || !untilRefused ? ms : longestMs)) return
      const node = through[turn % through.length]!
      const key = keys[Math.floor(turn++ / through.length) % keys.length]!
      lastAskedMs = performance.now()
      const response = await node.chat(key, { model: 'sandbox/echo', messages })
      await response.text()
      firstAnswerMs = Math.min(firstAnswerMs, performance.now())
      if (response.status === 200) counts.allowed++
      else if (response.status === 429) counts.refused++
      else counts.failed++
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  counts.seconds = (performance.now() - startedMs) / 1_000
  counts.askedSeconds = Math.max(0, lastAskedMs - firstAnswerMs) / 1_000
  return counts
}

/**
 * Expects that the limit admitted as many requests as it allows, give or take one request a second and one
 * more.
 * @param allowedIn the number allowed in this many seconds, starting with a full bucket
 */
export function expectAllowed(
  { allowed, failed, refused, seconds, askedSeconds }: Counts,
  allowedIn: (seconds: number) => number,
): void {
  expect(failed).toBe(0)
  expect(refused).toBeGreaterThan(0)
  expect(allowed).toBeLessThanOrEqual(allowedIn(seconds) + seconds + 1)
  expect(allowed).toBeGreaterThanOrEqual(allowedIn(askedSeconds) - askedSeconds - 1)
}

/** Creates keys of one account and puts the account into a tier. */
export async function keysOf(node: TestNode, count: number, tier: string): Promise<TestKey[]> {
  const first = await node.createKey()
  await node.admin(`/accounts/${first.accountId}`, { method: 'PATCH', body: { tier } })
  const others = Array.from({ length: count - 1 }, () => node.createKey({ accountId: first.accountId }))
  return [first, ...(await Promise.all(others))]
}
