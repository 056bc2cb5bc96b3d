import type { ContentBlock, Message, Tool } from '@turnpike/protocol'

/** Where in the caller's body a part of the request stands, as in `input[2].content[0]`. */
export type Origins = Map<Message | ContentBlock | Tool, string>
