/* Written by generate.ts: run it after a change of vendors/. */
import type { Vendor } from './vendor.ts'
import { vendor as ai21 } from './vendors/ai21.ts'
import { vendor as alibaba } from './vendors/alibaba.ts'
import { vendor as anthropic } from './vendors/anthropic.ts'
import { vendor as azure } from './vendors/azure.ts'
import { vendor as bedrock } from './vendors/bedrock.ts'
import { vendor as cerebras } from './vendors/cerebras.ts'
import { vendor as cloudflare } from './vendors/cloudflare.ts'
import { vendor as cohere } from './vendors/cohere.ts'
import { vendor as databricks } from './vendors/databricks.ts'
import { vendor as deepinfra } from './vendors/deepinfra.ts'
import { vendor as deepseek } from './vendors/deepseek.ts'
import { vendor as fireworks } from './vendors/fireworks.ts'
import { vendor as gemini } from './vendors/gemini.ts'
import { vendor as github } from './vendors/github.ts'
import { vendor as groq } from './vendors/groq.ts'
import { vendor as huggingface } from './vendors/huggingface.ts'
import { vendor as jina } from './vendors/jina.ts'
import { vendor as mistral } from './vendors/mistral.ts'
import { vendor as moonshot } from './vendors/moonshot.ts'
import { vendor as novita } from './vendors/novita.ts'
import { vendor as nvidia } from './vendors/nvidia.ts'
import { vendor as ollama } from './vendors/ollama.ts'
import { vendor as openai } from './vendors/openai.ts'
import { vendor as openrouter } from './vendors/openrouter.ts'
import { vendor as perplexity } from './vendors/perplexity.ts'
import { vendor as sambanova } from './vendors/sambanova.ts'
import { vendor as snowflake } from './vendors/snowflake.ts'
import { vendor as together } from './vendors/together.ts'
import { vendor as vertex } from './vendors/vertex.ts'
import { vendor as vllm } from './vendors/vllm.ts'
import { vendor as voyage } from './vendors/voyage.ts'
import { vendor as xai } from './vendors/xai.ts'
import { vendor as zai } from './vendors/zai.ts'

/** Every vendor that needs no more in the configuration than a key, or an address of one’s own. */
export const vendors: readonly Vendor[] = [
  ai21,
  alibaba,
  anthropic,
  azure,
  bedrock,
  cerebras,
  cloudflare,
  cohere,
  databricks,
  deepinfra,
  deepseek,
  fireworks,
  gemini,
  github,
  groq,
  huggingface,
  jina,
  mistral,
  moonshot,
  novita,
  nvidia,
  ollama,
  openai,
  openrouter,
  perplexity,
  sambanova,
  snowflake,
  together,
  vertex,
  vllm,
  voyage,
  xai,
  zai,
]
