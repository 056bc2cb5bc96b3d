import type { BridgeHead } from '../../../bridge.ts'
import type { CallItem } from '../../items.ts'

/** What an answer needs from its request. */
export interface ResponseContext {
  /** Members of the answer that repeat those of the request. */
  repeated: Record<string, unknown>
  /** Tools that vendors get in another form than the caller wrote them, by their names at vendors. */
  tools: ReadonlyMap<string, RequestedTool>
  /** The caller wants reasoning in a form that can be sent back (`include`). */
  wantsProof: boolean
}

export interface RequestedTool {
  name: string
  namespace?: string
  /** The type of its calls for the caller. The vendor always calls a function. */
  callType: CallItem['type']
}

/** The argument that contains the text of a custom tool. */
export const textArgument = 'input'

const nothing: ResponseContext = { repeated: {}, tools: new Map(), wantsProof: false }

/** Many clients only read summaries. */
export function asksForSummary({ repeated }: ResponseContext): boolean {
  const { reasoning } = repeated as { reasoning?: { summary?: unknown; generate_summary?: unknown } }
  return (reasoning?.summary ?? reasoning?.generate_summary ?? undefined) !== undefined
}

export function contextOf({ asked }: BridgeHead): ResponseContext {
  return (asked as ResponseContext | undefined) ?? nothing
}
