import { startVendorNode, type VendorNode } from '../vendor-node.ts'
import { asAnthropic } from './as-anthropic.ts'
import { asBedrockClaude, asConverse } from './as-bedrock.ts'
import { asDeepseek, asMistral, asOpenai } from './as-chat.ts'
import { asCohere } from './as-cohere.ts'
import { asGoogle } from './as-google.ts'
import type { ScriptedVendor } from './scripted-answer.ts'

export interface ScriptedFormat {
  vendor: string
  model: string
  says: ScriptedVendor
}

/** One vendor for each format, and one that is compatible with OpenAI. */
export const scriptedFormats: ScriptedFormat[] = [
  { vendor: 'openai', model: 'gpt-5-mini', says: asOpenai },
  // Speaks OpenAI's format, shows its reasoning, and must get it back.
  { vendor: 'moonshot', model: 'kimi-k2.6', says: asOpenai },
  { vendor: 'anthropic', model: 'claude-sonnet-4-5', says: asAnthropic },
  { vendor: 'gemini', model: 'gemini-2.5-flash', says: asGoogle },
  { vendor: 'mistral', model: 'magistral-medium-latest', says: asMistral },
  { vendor: 'deepseek', model: 'deepseek-reasoner', says: asDeepseek },
  { vendor: 'cohere', model: 'command-a-reasoning-08-2025', says: asCohere },
]

/** Vendors whose streams are frames of AWS: by Converse, and in Claude's format. */
const framedFormats: ScriptedFormat[] = [
  { vendor: 'bedrock', model: 'anthropic.claude-sonnet-4-5-20250929-v1:0', says: asConverse },
  { vendor: 'bedrock-claude', model: 'us.anthropic.claude-sonnet-4-6', says: asBedrockClaude },
]

export const allFormats: readonly ScriptedFormat[] = [...scriptedFormats, ...framedFormats]

/** A gateway in front of vendors whose answers a test queues (`vendor.next`): one request at a time. */
export async function startScriptedNode(): Promise<VendorNode> {
  return startVendorNode(allFormats.map(({ vendor, model }) => ({ vendor, model, plan: { label: vendor } })))
}
