import { setTimeout as delay } from 'node:timers/promises'

const retryAfterMs = 1_000
const mostRounds = 30

/**
 * Sends requests from all clients at once, and retries those with a 429 until the expected number succeeds.
 * Returns the last statuses. A node waits a second for idle credit on other nodes and then returns 429
 * (docs/contract.md, 4.5); a busy machine may take longer. A single node has no others to wait for, so its
 * first response counts.
 */
export async function statusesAsTold(
  clients: number,
  ask: (client: number) => Promise<number>,
  { expected, nodes }: { expected: number; nodes: number },
): Promise<number[]> {
  const all = Array.from({ length: clients }, (_, client) => client)
  const statuses = await Promise.all(all.map(ask))
  const isShort = (): boolean => statuses.filter((status) => status === 200).length < expected
  const rounds = nodes > 1 ? mostRounds : 0
  for (let round = 0; round < rounds && isShort(); round++) {
    await delay(retryAfterMs)
    const waiting = all.filter((client) => statuses[client] === 429)
    await Promise.all(waiting.map(async (client) => (statuses[client] = await ask(client))))
  }
  return statuses
}
