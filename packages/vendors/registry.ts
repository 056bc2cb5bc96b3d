import type { Vendor } from './vendor.ts'
import { alibaba } from './vendors/alibaba.ts'
import { anthropic } from './vendors/anthropic.ts'
import { azure } from './vendors/azure.ts'
import { cerebras } from './vendors/cerebras.ts'
import { cohere } from './vendors/cohere.ts'
import { deepseek } from './vendors/deepseek.ts'
import { fireworks } from './vendors/fireworks.ts'
import { gemini } from './vendors/gemini.ts'
import { groq } from './vendors/groq.ts'
import { huggingface } from './vendors/huggingface.ts'
import { jina } from './vendors/jina.ts'
import { mistral } from './vendors/mistral.ts'
import { moonshot } from './vendors/moonshot.ts'
import { ollama } from './vendors/ollama.ts'
import { openai } from './vendors/openai.ts'
import { openrouter } from './vendors/openrouter.ts'
import { perplexity } from './vendors/perplexity.ts'
import { together } from './vendors/together.ts'
import { vertex } from './vendors/vertex.ts'
import { vllm } from './vendors/vllm.ts'
import { voyage } from './vendors/voyage.ts'
import { xai } from './vendors/xai.ts'
import { zai } from './vendors/zai.ts'

/** Every vendor that needs no more in the configuration than a key, or an address of one's own. */
export const vendors: readonly Vendor[] = [
  openai,
  anthropic,
  gemini,
  vertex,
  deepseek,
  mistral,
  azure,
  groq,
  xai,
  together,
  fireworks,
  openrouter,
  perplexity,
  cerebras,
  moonshot,
  zai,
  alibaba,
  huggingface,
  voyage,
  cohere,
  jina,
  ollama,
  vllm,
]

const byName = new Map(vendors.map((vendor) => [vendor.name, vendor]))

export function findVendor(name: string): Vendor | undefined {
  return byName.get(name)
}
