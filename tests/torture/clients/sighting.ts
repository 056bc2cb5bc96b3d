import type { HttpResult } from './http-call.ts'
import type { RequestPlan } from './requests.ts'
import { answerText } from '../fleet/vendor-calls.ts'
import type { WorldKey } from '../world/world.ts'

/** A request as its client saw it. */
export interface Sighting {
  plan: RequestPlan
  key: WorldKey
  node: number
  bodyBytes: number
  sentAtMs: number
  endedAtMs: number
  /**
   * `delivered`: the whole answer. `refused`: an error with a status. `failing`: a stream that ended with an
   * error event. `truncated`: an incomplete answer that ended as if it were complete. The others as in
   * `HttpResult`.
   */
  ending: 'delivered' | 'refused' | 'failing' | 'truncated' | Exclude<HttpResult['ending'], 'complete'>
  requestId: string | undefined
  status: number | undefined
  /** The text that arrived. */
  text: string
  /** The cost that the response reported. */
  costUsd: string | undefined
  error: { type: string; message: string } | undefined
}

interface Said {
  usage?: { cost_usd?: string } | null
  error?: { type: string; message: string }
}

type Seen = Pick<Sighting, 'ending' | 'text' | 'costUsd' | 'error'>

export function seenIn(result: HttpResult, stream: boolean): Seen {
  const text = answerText(result.text)
  const { ending, status = 0 } = result
  if (ending !== 'complete') return { ending, text, costUsd: undefined, error: undefined }
  if (status !== 200) return { ...saidIn([result.text]), ending: 'refused', text }
  if (!stream) {
    const said = saidIn([result.text])
    return { ...said, ending: said.costUsd === undefined ? 'truncated' : 'delivered', text }
  }
  const events = result.text.split('\n\n').map((event) => event.replace(/^data: /, ''))
  const said = saidIn(events.slice(-4))
  const ended = result.text.endsWith('data: [DONE]\n\n')
  return { ...said, ending: ended ? 'delivered' : said.error === undefined ? 'truncated' : 'failing', text }
}

/** Reads usage and error from a body, or from the last events of a stream. */
function saidIn(texts: readonly string[]): Pick<Sighting, 'costUsd' | 'error'> {
  const found: Pick<Sighting, 'costUsd' | 'error'> = { costUsd: undefined, error: undefined }
  for (const text of texts.filter((one) => one.startsWith('{'))) {
    const said = JSON.parse(text) as Said
    found.costUsd ??= said.usage?.cost_usd
    found.error ??= said.error
  }
  return found
}
