import { generateFormats, type GenerateFormatName, type GenerateFormat } from '@turnpike/dialects'
import type { RecordedCase } from '@turnpike/simulators'

/** The format in which a case was recorded. */
export function vendorFormatOf({ vendor, api }: Pick<RecordedCase, 'vendor' | 'api'>): GenerateFormat {
  if (api === 'responses' || api === 'completions') return generateFormats[`openai-${api}`]
  return generateFormats[api === 'messages' ? 'anthropic-messages' : formatName(vendor)]
}

function formatName(vendor: string): GenerateFormatName {
  switch (vendor) {
    case 'gemini':
    case 'gemini-vertex':
      return 'google-generate'
    case 'mistral':
      return 'mistral-chat'
    case 'deepseek':
      return 'deepseek-chat'
    case 'cohere':
      return 'cohere-chat'
    default:
      return 'openai-chat'
  }
}
