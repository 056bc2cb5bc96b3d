import type { BridgeHead } from '../../../bridge.ts'
import type { CallItem } from '../../items.ts'

/** What of a request its answer needs. */
export interface ResponseContext {
  /** Members of the answer that repeat those of the request. */
  repeated: Record<string, unknown>
  /** Tools that a vendor is told in another way than the caller wrote them, by their names there. */
  tools: ReadonlyMap<string, RequestedTool>
  /** Reasoning is to come with what it is sent back by (`include`). */
  wantsProof: boolean
}

export interface RequestedTool {
  name: string
  namespace?: string
  /** What a call of it is to its caller; to its vendor it is that of a function. */
  callType: CallItem['type']
}

/** The argument that holds the text of a custom tool. */
export const textArgument = 'input'

const nothing: ResponseContext = { repeated: {}, tools: new Map(), wantsProof: false }

/** Many clients read a summary alone. */
export function asksForSummary({ repeated }: ResponseContext): boolean {
  const { reasoning } = repeated as { reasoning?: { summary?: unknown; generate_summary?: unknown } }
  return (reasoning?.summary ?? reasoning?.generate_summary ?? undefined) !== undefined
}

export function contextOf({ asked }: BridgeHead): ResponseContext {
  return (asked as ResponseContext | undefined) ?? nothing
}
