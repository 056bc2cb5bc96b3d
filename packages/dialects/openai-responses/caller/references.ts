import { fieldPath } from '../../json/explain.ts'
import type { SearchedFormat } from '../../requests/references.ts'

/** What of a Responses body names nothing that is kept elsewhere. */
export const responsesReferences: SearchedFormat = {
  path: fieldPath,
  turns: 'input',
  system: 'instructions',
  isOwn(name, trail) {
    const [first] = trail
    switch (name) {
      case 'metadata':
      case 'client_metadata':
        return trail.length === 0
      case 'parameters':
        return first === 'tools' || (first === 'input' && trail[2] === 'tools')
      // Codex tells OpenAI by it of which of its turns an item is.
      case 'internal_chat_message_metadata_passthrough':
      // What a tool was called with: of functions it is a text.
      case 'arguments':
        return first === 'input' && trail.length === 2
      case 'schema':
        return first === 'text'
      case 'annotations':
      case 'logprobs':
        return first === 'input'
      default:
        return false
    }
  },
  isProse(name, _holder, trail) {
    const [first] = trail
    switch (name) {
      case 'instructions':
        return trail.length === 0
      // A text in the place of all items, what a custom tool was called with, and what a tool gave.
      case 'input':
      case 'output':
        return trail.length === 0 || first === 'input'
      case 'encrypted_content':
      case 'namespace':
        return first === 'input'
      case 'definition':
        return first === 'tools' || (first === 'input' && trail[2] === 'tools')
      default:
        return false
    }
  },
}
