import { alibabaFacts } from './alibaba.ts'
import { anthropicFacts } from './anthropic.ts'
import { azureFacts } from './azure.ts'
import { cerebrasFacts } from './cerebras.ts'
import { cohereFacts } from './cohere.ts'
import { deepseekFacts } from './deepseek.ts'
import type { VendorFacts } from './facts.ts'
import { fireworksFacts } from './fireworks.ts'
import { geminiFacts } from './gemini.ts'
import { groqFacts } from './groq.ts'
import { huggingfaceFacts } from './huggingface.ts'
import { mistralFacts } from './mistral.ts'
import { moonshotFacts } from './moonshot.ts'
import { openaiFacts } from './openai.ts'
import { openrouterFacts } from './openrouter.ts'
import { perplexityFacts } from './perplexity.ts'
import { togetherFacts } from './together.ts'
import { vertexFacts } from './vertex.ts'
import { voyageFacts } from './voyage.ts'
import { xaiFacts } from './xai.ts'
import { zaiFacts } from './zai.ts'

/** By vendor; one that serves what its operator has put there has none. */
export const facts: Readonly<Record<string, VendorFacts>> = {
  openai: openaiFacts,
  anthropic: anthropicFacts,
  gemini: geminiFacts,
  vertex: vertexFacts,
  deepseek: deepseekFacts,
  mistral: mistralFacts,
  azure: azureFacts,
  groq: groqFacts,
  xai: xaiFacts,
  together: togetherFacts,
  fireworks: fireworksFacts,
  openrouter: openrouterFacts,
  perplexity: perplexityFacts,
  cerebras: cerebrasFacts,
  moonshot: moonshotFacts,
  zai: zaiFacts,
  alibaba: alibabaFacts,
  huggingface: huggingfaceFacts,
  voyage: voyageFacts,
  cohere: cohereFacts,
}
