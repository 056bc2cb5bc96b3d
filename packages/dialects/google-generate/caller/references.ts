import { fieldPath } from '../../json/explain.ts'
import { referencesIn, type ReferencedValue, type SearchedFormat } from '../../requests/references.ts'
import type { Placed } from './contents/contents.ts'

/** Which members of a generateContent body refer to nothing that is kept elsewhere. */
const generateReferences: SearchedFormat = {
  turns: 'messages',
  path: fieldPath,
  isOwn(name, trail) {
    const [first] = trail
    switch (name) {
      case 'parameters':
      case 'parametersJsonSchema':
      case 'response':
      case 'responseJsonSchema':
      case 'responseSchema':
        return first === 'tools' || first === 'generationConfig' || first === 'contents'
      // The arguments of a call, as the model wrote them.
      case 'args':
        return first === 'contents'
      default:
        return false
    }
  },
  isProse(name, _holder, [first]) {
    if (first === 'toolConfig' || first === 'safetySettings') return true
    return name === 'thoughtSignature' || name === 'data' || name === 'code' || name === 'output'
  },
}

/** The references in the body, including those in texts of instructions, which some vendors read as names. */
export function generateReferred(body: object, placed: readonly Placed[]): ReferencedValue {
  const found = referencesIn(body, generateReferences)
  const [first] = placed
  if (first?.message.role !== 'system') return found
  const messages = [first.message].map(({ role, content }) => ({ role, content }))
  const inText = referencesIn({ messages }, textsAlone).references
  if (inText.length === 0) return found
  const own = inText.map(({ value }) => ({ param: first.path, value }))
  return { ...found, references: [...found.references, ...own] }
}

/** Searches only the texts of parsed instructions: everything else was searched as it was sent. */
const textsAlone: SearchedFormat = {
  path: fieldPath,
  turns: 'messages',
  isOwn: () => true,
  isProse: () => true,
}
