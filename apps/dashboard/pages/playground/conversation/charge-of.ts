import { api } from '../../../api/client.ts'
import type { StepFacts } from './conversation.ts'

/**
 * Waits before each look. A request is logged soon after its end; for models with hidden reasoning, the
 * gateway first reads the answer to its end.
 */
const waitsMs = [150, 300, 600, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 60_000]
/** The number of recent requests to search, as several may have been stopped at about the same time. */
const rowsLookedAt = 50

/** What is needed to find a request whose ID never arrived. */
interface Search {
  playgroundKeyId: () => Promise<string | null>
  /** The IDs of requests that belong to other answers. */
  knownRequestIds: () => ReadonlySet<string>
}

/**
 * The charge of an answer that was stopped or broke off before it reported one, from the gateway's log.
 * Undefined if the log does not have it in time.
 * @param facts what is known so far; without a request ID, the request is searched for
 */
export async function chargeOf(facts: StepFacts, search: Search): Promise<Partial<StepFacts> | undefined> {
  for (const waitMs of waitsMs) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    // The gateway may be unreachable: try again after the next wait.
    const charge = await chargeNow(facts, search).catch(() => undefined)
    if (charge !== undefined) return charge
  }
  return undefined
}

async function chargeNow(facts: StepFacts, search: Search): Promise<Partial<StepFacts> | undefined> {
  const id = await findRequestId(facts, search)
  if (id === undefined) return undefined
  const params = { path: { request_id: id } }
  const { data: row } = await api.GET('/api/v1/usage/requests/{request_id}', { params })
  if (row === undefined) return undefined
  return {
    requestId: id,
    costUsd: row.cost_usd,
    tokensIn: row.tokens_in,
    tokensOut: row.tokens_out,
    ...(row.usage?.['estimated'] === true && { isEstimated: true }),
    ...(row.model_served !== null && { model: row.model_served }),
  }
}

/**
 * The request's ID, once it is in the log. Before the first token, the tab does not have it: then it is the
 * latest request that was stopped.
 */
async function findRequestId(
  { requestId, asked }: StepFacts,
  { playgroundKeyId, knownRequestIds }: Search,
): Promise<string | undefined> {
  const keyId = await playgroundKeyId()
  if (keyId === null) return undefined
  // Two days, as the request may have been sent just before midnight.
  const query = { key_id: keyId, days: 2, limit: rowsLookedAt }
  const { data } = await api.GET('/api/v1/usage/requests', { params: { query } })
  const others = knownRequestIds()
  return data?.data.find(({ id, outcome, model_asked: model }) =>
    requestId === undefined
      ? outcome === 'client_closed' && model === asked && !others.has(id)
      : id === requestId,
  )?.id
}
