import { vendorFormats, type FormatName, type VendorFormat } from '@turnpike/dialects'
import type { RecordedCase } from '@turnpike/simulators'

/** The format in which a case was recorded. */
export function vendorFormatOf({ vendor, api }: Pick<RecordedCase, 'vendor' | 'api'>): VendorFormat {
  if (api === 'responses' || api === 'completions') return vendorFormats[`openai-${api}`]
  return vendorFormats[api === 'messages' ? 'anthropic-messages' : formatName(vendor)]
}

function formatName(vendor: string): FormatName {
  switch (vendor) {
    case 'gemini':
    case 'gemini-vertex':
      return 'google-generate'
    case 'mistral':
      return 'mistral-chat'
    case 'deepseek':
      return 'deepseek-chat'
    default:
      return 'openai-chat'
  }
}
