/*
 * What a model accepts, where models of one format differ. Formats depend on these traits only. Which model
 * has which traits is data, in packages/vendors/traits.
 */

export interface ModelTraits {
  claude: ClaudeTraits
  gemini: GeminiTraits
  mistral: MistralTraits
  deepseek: DeepseekTraits
  cohere: CohereTraits
  openai: OpenaiTraits
  bedrock: BedrockTraits
}

/** What a model accepts of the Messages API: Claude's versions reject different things. */
export interface ClaudeTraits {
  /**
   * How it thinks: within a budget of tokens (`enabled`), as much as it sees fit (`adaptive`), either, or
   * never (https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting).
   */
  thinking: 'none' | 'budget' | 'either' | 'adaptive'
  /** How thinking is turned off: `absent` if the model thinks only on request, `never` if it cannot be. */
  thinkingOff: 'absent' | 'disabled' | 'between_tools' | 'never'
  /** It shows a summary of its reasoning; other models show all of it. */
  summarizesThoughts: boolean
  /** Levels of `output_config.effort`, weakest first. */
  efforts: readonly string[]
  /** Accepts `temperature`, `top_p` and `top_k`. Other models accept only the values that change nothing. */
  sampling: boolean
  temperatureWithTopP: boolean
  /** Accepts `tool_choice` `any` and `tool`. */
  forcedTools: boolean
  /** Accepts `output_config.format`. */
  structuredOutput: boolean
  /** Accepts `system` turns within the conversation. */
  systemTurns: boolean
}

/** What a model accepts of Google's format. */
export interface GeminiTraits {
  /** How the amount of thinking is set: not at all, by a budget of tokens, or by a level. */
  thinking: 'none' | 'budget' | 'levels'
  /** Limits of the budget, in tokens. `least` turns thinking off as far as the model allows. */
  budget: { least: number; most: number }
  /** Values of `thinkingLevel`, weakest first. */
  levels: readonly ThinkingLevel[]
  /** It has the mode in which arguments must match their schemas (`VALIDATED`). */
  validatesCalls: boolean
  /** It rejects a step of calls whose first call has no signature. */
  demandsSignatures: boolean
  /** Tool results may contain media. */
  mediaInResults: boolean
  /** It can answer in JSON in a request that also has tools. */
  jsonBesideTools: boolean
}

/** Weakest first. */
export const thinkingLevels = ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'] as const
export type ThinkingLevel = (typeof thinkingLevels)[number]

export interface MistralTraits {
  /** How thinking is set: by `prompt_mode`, by an effort that is on or off, or by an effort with steps. */
  thinking: 'prompt-mode' | 'on-or-off' | 'steps'
}

export interface DeepseekTraits {
  /** It thinks unless thinking is turned off. */
  thinksUnasked: boolean
}

/** What a model accepts of Bedrock's Converse, whose models come from many makers. */
export interface BedrockTraits {
  /** Which maker's fields set the thinking; Claude's are in `ClaudeTraits`. */
  thinking: 'none' | 'claude' | 'openai' | 'nova'
  /** Where it reads `top_k`: beside its other fields, or in Nova's `inferenceConfig`. */
  topK: 'none' | 'field' | 'nova'
  /** Values of `toolChoice` besides `auto`. */
  toolChoices: readonly ('any' | 'tool')[]
  /** Tool results say whether the tool failed. */
  resultStatus: boolean
  /** Tool results may contain media. */
  resultMedia: boolean
  /** It accepts instructions apart from the conversation. */
  system: boolean
  /** Where it accepts cache points, and whether they may last an hour. */
  caches: readonly ('tools' | 'system' | 'messages')[]
  cachesAnHour: boolean
  /** It can enforce a schema (`outputConfig.textFormat`). */
  schemas: boolean
  /** It accepts only tool call ids of nine letters or digits. */
  shortCallIds: boolean
}

export interface CohereTraits {
  /** It thinks unless thinking is turned off. Other models at most make a plan before they call tools. */
  thinks: boolean
}

/** What a model accepts of OpenAI's formats. */
export interface OpenaiTraits {
  /** Values of its reasoning effort, weakest first. Undefined: not known, so every value is sent. */
  efforts: readonly string[] | undefined
  /** It rejects `temperature` and `top_p`, except for the values that change nothing. */
  fixedSampling: boolean
  /** It answers better if it knows which of its earlier texts were final answers (`phase`). */
  phases: boolean
  /** False: it rejects streaming and answers only as a whole. */
  streams: boolean
  /** Types of tools that the vendor runs, one of which the model requires. Empty: it requires none. */
  livesBy: readonly string[]
}
