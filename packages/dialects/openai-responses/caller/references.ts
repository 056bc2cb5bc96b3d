import { fieldPath } from '../../json/explain.ts'
import type { SearchedFormat } from '../../requests/references.ts'

/** Which members of a Responses body refer to nothing that is kept elsewhere. */
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
      // Codex uses it to show OpenAI which of its turns an item belongs to.
      case 'internal_chat_message_metadata_passthrough':
      // The arguments of a call, which for functions are a text.
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
      // A text instead of items, the input of a custom tool, or the output of a tool.
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
