import type { FactGroup, VendorFacts } from './facts.ts'
import { openPlain, openReasoning } from './parameters.ts'

const text = ['text'] as const

/**
 * https://huggingface.co/docs/inference-providers. The price is the serving provider's, so each model names
 * one: `<model>:<provider>`, as the router takes it.
 */
export const huggingfaceFacts: VendorFacts = {
  groups: [
    served({ model: 'openai/gpt-oss-120b', out: '2025-08-05', output: 32_768, parameters: openReasoning }, [
      'fireworks-ai',
      'groq',
      'nebius',
      'novita',
      'together',
    ]),
    served({ model: 'openai/gpt-oss-20b', out: '2025-08-05', output: 32_768, parameters: openReasoning }, [
      'fireworks-ai',
      'groq',
      'novita',
      'together',
    ]),
    served(
      { model: 'meta-llama/Llama-3.3-70B-Instruct', out: '2024-12-06', output: 4_096, parameters: openPlain },
      ['fireworks-ai', 'groq', 'nebius', 'novita', 'sambanova', 'together'],
    ),
    served({ model: 'Qwen/Qwen3-32B', out: '2025-04-28', output: 16_384, parameters: openReasoning }, [
      'groq',
      'nebius',
      'novita',
    ]),
    served(
      {
        model: 'Qwen/Qwen3-235B-A22B-Instruct-2507',
        out: '2025-07-21',
        output: 16_384,
        parameters: openPlain,
      },
      ['nebius', 'novita', 'together'],
    ),
    served(
      {
        model: 'Qwen/Qwen3-Coder-480B-A35B-Instruct',
        out: '2025-07-23',
        output: 65_536,
        parameters: openPlain,
      },
      ['nebius', 'novita', 'together'],
    ),
    served(
      { model: 'deepseek-ai/DeepSeek-V3.2', out: '2025-12-01', output: 65_536, parameters: openReasoning },
      ['novita'],
    ),
    served(
      { model: 'moonshotai/Kimi-K2-Thinking', out: '2025-11-06', output: 262_144, parameters: openReasoning },
      ['nebius', 'novita'],
    ),
    served({ model: 'moonshotai/Kimi-K2.5', out: '2026-01-27', output: 262_144, parameters: openReasoning }, [
      'novita',
      'together',
    ]),
    served({ model: 'zai-org/GLM-4.6', out: '2025-09-30', output: 131_072, parameters: openReasoning }, [
      'novita',
      'together',
    ]),
    served({ model: 'zai-org/GLM-4.7', out: '2025-12-22', output: 131_072, parameters: openReasoning }, [
      'novita',
    ]),
    served({ model: 'zai-org/GLM-5', out: '2026-02-11', output: 131_072, parameters: openReasoning }, [
      'novita',
      'together',
    ]),
  ],
}

function served(
  { model, out, ...facts }: { model: string; out: string } & Pick<FactGroup, 'output' | 'parameters'>,
  providers: readonly string[],
): FactGroup {
  return {
    models: Object.fromEntries(providers.map((one) => [`${model}:${one}`, out])),
    input: text,
    ...facts,
  }
}
