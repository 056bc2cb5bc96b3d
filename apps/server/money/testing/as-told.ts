import { setTimeout as delay } from 'node:timers/promises'

const retryAfterMs = 1_000
const mostRounds = 30

/**
 * The last statuses of clients that ask all at once, and again where they are told that waiting helps, until
 * so many are served as should be. A node waits for a second for credit that is idle on another one, and
 * then says 429 (docs/contract.md, 4.5): a busy machine may take longer. A node alone asks nobody: there the
 * first answer counts.
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
