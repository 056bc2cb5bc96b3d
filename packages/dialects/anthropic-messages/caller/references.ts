import { dottedPath } from '../../json/explain.ts'
import type { SearchedFormat } from '../../requests/references.ts'

/** Web content that the model got in an earlier answer, or as a search result. It is not fetched again. */
const found: ReadonlySet<unknown> = new Set(['web_search_result', 'web_fetch_result', 'search_result'])

/** Which members of a Messages body refer to nothing that is kept elsewhere. */
export const messagesReferences: SearchedFormat = {
  path: dottedPath,
  turns: 'messages',
  system: 'system',
  isOwn(name, trail) {
    const [first] = trail
    switch (name) {
      case 'metadata':
      case 'stop_sequences':
        return trail.length === 0
      case 'input_schema':
      case 'input_examples':
        return first === 'tools'
      case 'schema':
        return first === 'output_config' || first === 'output_format'
      // A call's arguments, as the model wrote them, and the program that made the call.
      case 'input':
      case 'caller':
      case 'citations':
        return first === 'messages'
      default:
        return false
    }
  },
  isProse(name, holder, trail) {
    const { type } = holder as { type?: unknown }
    switch (name) {
      case 'system':
        return trail.length === 0
      case 'context':
        return trail[0] === 'messages'
      // A random name that only its caller knows; the vendor compares the prompt with the earlier one.
      case 'previous_message_id':
        return trail.length === 1 && trail[0] === 'diagnostics'
      case 'data':
        return type === 'text' || type === 'redacted_thinking'
      case 'url':
      case 'source':
        return found.has(type)
      // The vendor's own skills, such as `pptx`, which are available to everybody.
      case 'skill_id':
        return type === 'anthropic'
      default:
        return false
    }
  },
}
