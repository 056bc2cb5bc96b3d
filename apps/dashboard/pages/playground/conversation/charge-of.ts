import { api } from '../../../api/client.ts'
import type { StepFacts } from './conversation.ts'

/** A request is logged soon after its end; of models that think unseen the gateway reads on for a while. */
const waitsMs = [150, 300, 600, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 60_000]
/** Of those that were left at about the same time. */
const rowsLookedAt = 50

/** What is needed to find a request whose identifier was never told. */
interface Search {
  playgroundKeyId: () => Promise<string | null>
  /** Identifiers of requests that other answers are of. */
  knownRequestIds: () => ReadonlySet<string>
}

/**
 * What an answer came to that did not say so itself, since it was stopped or broke off: from the gateway's
 * own log. Undefined where that does not tell it in time.
 * @param facts as far as they are known; without an identifier the request is looked for
 */
export async function chargeOf(facts: StepFacts, search: Search): Promise<Partial<StepFacts> | undefined> {
  for (const waitMs of waitsMs) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    // The gateway may be away: the next time it may be there.
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
 * The request, once it is in the log. Before its first token its identifier has not been told: then it is the
 * latest one that was left.
 */
async function findRequestId(
  { requestId, asked }: StepFacts,
  { playgroundKeyId, knownRequestIds }: Search,
): Promise<string | undefined> {
  const keyId = await playgroundKeyId()
  if (keyId === null) return undefined
  // Yesterday's too: it may have been asked a moment before midnight.
  const query = { key_id: keyId, days: 2, limit: rowsLookedAt }
  const { data } = await api.GET('/api/v1/usage/requests', { params: { query } })
  const others = knownRequestIds()
  return data?.data.find(({ id, outcome, model_asked: model }) =>
    requestId === undefined
      ? outcome === 'client_closed' && model === asked && !others.has(id)
      : id === requestId,
  )?.id
}
