import type { VendorFacts } from './facts.ts'
import { plainText, reasoningText } from './open-models.ts'

/**
 * https://huggingface.co/docs/inference-providers. The serving provider sets the price, so each model names
 * one: `<model>:<provider>`, as the router expects it.
 */
export const huggingfaceFacts: VendorFacts = {
  groups: [
    {
      ...reasoningText,
      models: {
        ...served(
          'openai/gpt-oss-120b',
          '2025-08-05',
          'fireworks-ai',
          'groq',
          'nebius',
          'novita',
          'together',
        ),
        ...served('openai/gpt-oss-20b', '2025-08-05', 'fireworks-ai', 'groq', 'novita', 'together'),
      },
      output: 32_768,
    },
    {
      ...plainText,
      models: {
        ...served('meta-llama/Llama-3.3-70B-Instruct', '2024-12-06', 'fireworks-ai', 'groq', 'nebius'),
        ...served('meta-llama/Llama-3.3-70B-Instruct', '2024-12-06', 'novita', 'sambanova', 'together'),
      },
      output: 4_096,
    },
    {
      ...reasoningText,
      models: served('Qwen/Qwen3-32B', '2025-04-28', 'groq', 'nebius', 'novita'),
      output: 16_384,
    },
    {
      ...plainText,
      models: served('Qwen/Qwen3-235B-A22B-Instruct-2507', '2025-07-21', 'nebius', 'novita', 'together'),
      output: 16_384,
    },
    {
      ...plainText,
      models: served('Qwen/Qwen3-Coder-480B-A35B-Instruct', '2025-07-23', 'nebius', 'novita', 'together'),
      output: 65_536,
    },
    { ...reasoningText, models: served('deepseek-ai/DeepSeek-V3.2', '2025-12-01', 'novita'), output: 65_536 },
    {
      ...reasoningText,
      models: {
        ...served('moonshotai/Kimi-K2-Thinking', '2025-11-06', 'nebius', 'novita'),
        ...served('moonshotai/Kimi-K2.5', '2026-01-27', 'novita', 'together'),
      },
      output: 262_144,
    },
    {
      ...reasoningText,
      models: {
        ...served('zai-org/GLM-4.6', '2025-09-30', 'novita', 'together'),
        ...served('zai-org/GLM-4.7', '2025-12-22', 'novita'),
        ...served('zai-org/GLM-5', '2026-02-11', 'novita', 'together'),
      },
      output: 131_072,
    },
  ],
}

/** A model at each of these providers, and its release date. */
function served(model: string, released: string, ...providers: readonly string[]): Record<string, string> {
  return Object.fromEntries(providers.map((one) => [`${model}:${one}`, released]))
}
