import type { ContentBlock, Message, Tool } from '@turnpike/protocol'

/** Paths in the caller's body, such as `input[2].content[0]`, of parts of the parsed request. */
export type Origins = Map<Message | ContentBlock | Tool, string>
