import type { FactGroup, VendorFacts } from './facts.ts'
import { openPlain, openReasoning } from './parameters.ts'

const text = ['text'] as const

/**
 * https://huggingface.co/docs/inference-providers. The price is the serving provider's, so each model names
 * one: `<model>:<provider>`, as the router takes it.
 */
export const huggingfaceFacts: VendorFacts = {
  groups: [
    servedModel(
      { model: 'openai/gpt-oss-120b', out: '2025-08-05', output: 32_768, parameters: openReasoning },
      ['fireworks-ai', 'groq', 'nebius', 'novita', 'together'],
    ),
    servedModel(
      { model: 'openai/gpt-oss-20b', out: '2025-08-05', output: 32_768, parameters: openReasoning },
      ['fireworks-ai', 'groq', 'novita', 'together'],
    ),
    servedModel(
      { model: 'meta-llama/Llama-3.3-70B-Instruct', out: '2024-12-06', output: 4_096, parameters: openPlain },
      ['fireworks-ai', 'groq', 'nebius', 'novita', 'sambanova', 'together'],
    ),
    servedModel({ model: 'Qwen/Qwen3-32B', out: '2025-04-28', output: 16_384, parameters: openReasoning }, [
      'groq',
      'nebius',
      'novita',
    ]),
    servedModel(
      {
        model: 'Qwen/Qwen3-235B-A22B-Instruct-2507',
        out: '2025-07-21',
        output: 16_384,
        parameters: openPlain,
      },
      ['nebius', 'novita', 'together'],
    ),
    servedModel(
      {
        model: 'Qwen/Qwen3-Coder-480B-A35B-Instruct',
        out: '2025-07-23',
        output: 65_536,
        parameters: openPlain,
      },
      ['nebius', 'novita', 'together'],
    ),
    servedModel(
      { model: 'deepseek-ai/DeepSeek-V3.2', out: '2025-12-01', output: 65_536, parameters: openReasoning },
      ['novita'],
    ),
    servedModel(
      { model: 'moonshotai/Kimi-K2-Thinking', out: '2025-11-06', output: 262_144, parameters: openReasoning },
      ['nebius', 'novita'],
    ),
    servedModel(
      { model: 'moonshotai/Kimi-K2.5', out: '2026-01-27', output: 262_144, parameters: openReasoning },
      ['novita', 'together'],
    ),
    servedModel({ model: 'zai-org/GLM-4.6', out: '2025-09-30', output: 131_072, parameters: openReasoning }, [
      'novita',
      'together',
    ]),
    servedModel({ model: 'zai-org/GLM-4.7', out: '2025-12-22', output: 131_072, parameters: openReasoning }, [
      'novita',
    ]),
    servedModel({ model: 'zai-org/GLM-5', out: '2026-02-11', output: 131_072, parameters: openReasoning }, [
      'novita',
      'together',
    ]),
  ],
}

function servedModel(
  { model, out, ...facts }: { model: string; out: string } & Pick<FactGroup, 'output' | 'parameters'>,
  providers: readonly string[],
): FactGroup {
  return {
    models: Object.fromEntries(providers.map((one) => [`${model}:${one}`, out])),
    input: text,
    ...facts,
  }
}
