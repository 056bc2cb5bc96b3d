import { dialects, type DialectName, type VendorDialect } from '@turnpike/dialects'
import type { RecordedCase } from '@turnpike/simulators'

/** The dialect in which a case was recorded. */
export function dialectOf({ vendor, api }: Pick<RecordedCase, 'vendor' | 'api'>): VendorDialect {
  return dialects[api === 'messages' ? 'anthropic-messages' : dialectName(vendor)]
}

function dialectName(vendor: string): DialectName {
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
