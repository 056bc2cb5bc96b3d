import { invalidRequest } from '@turnpike/protocol'
import type { CacheControl } from '../../requests/fields/request-fields.ts'
import type { MessagesRequest } from './request-schema.ts'

/*
 * Anthropic's rules for cache marks, with its own messages
 * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching). They apply whichever vendor
 * answers, so that a client's mistake does not only show once Anthropic is called. Marks within a tool's
 * result, and marks of empty texts, are checked by Anthropic alone, since other vendors do not need them.
 */

const mostMarks = 4

interface Marked {
  type?: string | null
  cache_control?: CacheControl | null
}

/** The marks so far, in the order in which the vendor reads them. */
interface Marks {
  found: number
  /** The path of the first mark beyond the limit. */
  beyond: string | undefined
  /** A five-minute mark has occurred. */
  isShort: boolean
}

/**
 * @throws {GatewayError} 400 for too many marks, a mark that outlasts one before it, or a mark on thinking
 */
export function refuseMarks({ tools, system, messages }: MessagesRequest): void {
  const marks: Marks = { found: 0, beyond: undefined, isShort: false }
  if (tools !== undefined && tools !== null) countMarks(tools, 'tools', marks)
  if (Array.isArray(system)) countMarks(system, 'system', marks)
  for (let index = 0; index < messages.length; index++) {
    const { content } = messages[index]!
    if (typeof content !== 'string') countMarks(content, `messages.${index}.content`, marks)
  }
  const { beyond, found } = marks
  if (beyond === undefined) return
  const message = `A maximum of ${mostMarks} blocks with cache_control may be provided. Found ${found}.`
  throw invalidRequest(beyond, message)
}

function countMarks(blocks: readonly Marked[], path: string, marks: Marks): void {
  for (let at = 0; at < blocks.length; at++) {
    const { cache_control: mark, type } = blocks[at]!
    if (mark === undefined || mark === null) continue
    const place = `${path}.${at}.cache_control`
    if (type === 'thinking' || type === 'redacted_thinking')
      throw invalidRequest(place, `${place}: Extra inputs are not permitted`)
    if (mark.ttl !== '1h') marks.isShort = true
    else if (marks.isShort) throw outlasting(`${place}.ttl`)
    marks.found++
    if (marks.found > mostMarks) marks.beyond ??= place
  }
}

function outlasting(path: string): Error {
  return invalidRequest(
    path,
    `${path}: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. ` +
      'Note that blocks are processed in the following order: `tools`, `system`, `messages`.',
  )
}
