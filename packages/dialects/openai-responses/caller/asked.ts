import type { BridgeHead } from '../../bridge.ts'

/** What of a request its answer needs. */
export interface Asked {
  /** Members of the answer that repeat those of the request. */
  repeated: Record<string, unknown>
  /** Tools that a vendor is told in another way than the caller wrote them, by their names there. */
  tools: ReadonlyMap<string, AskedTool>
}

export interface AskedTool {
  name: string
  namespace?: string
  /** It takes free text: its vendor is told a function with that one argument. */
  takesText: boolean
}

/** The argument that holds the text of a custom tool. */
export const textArgument = 'input'

const nothing: Asked = { repeated: {}, tools: new Map() }

export function askedOf({ asked }: BridgeHead): Asked {
  return (asked as Asked | undefined) ?? nothing
}
