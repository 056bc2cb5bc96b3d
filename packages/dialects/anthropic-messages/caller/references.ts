import { dottedPath } from '../../json/explain.ts'
import type { SearchedFormat } from '../../requests/references.ts'

/** What a model got of the web in an earlier answer, or was shown as found: nobody reads it again. */
const found: ReadonlySet<unknown> = new Set(['web_search_result', 'web_fetch_result', 'search_result'])

/** What of a Messages body names nothing that is kept elsewhere. */
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
      // The arguments of a call, as the model wrote them, and what of a program made it.
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
      // A random name that only its caller was told: asked about, it says which part of a prompt has changed.
      case 'previous_message_id':
        return trail.length === 1 && trail[0] === 'diagnostics'
      case 'data':
        return type === 'text' || type === 'redacted_thinking'
      case 'url':
      case 'source':
        return found.has(type)
      // The vendor's own, as `pptx`: everybody has them.
      case 'skill_id':
        return type === 'anthropic'
      default:
        return false
    }
  },
}
