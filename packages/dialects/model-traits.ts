/*
 * What a model takes, where models of one format differ. Formats act by these alone; which model has which is
 * data, in packages/vendors/traits.
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

/** What one model takes of the Messages API: Claude's versions differ in what they refuse. */
export interface ClaudeTraits {
  /**
   * How it thinks: for a budget of tokens (`enabled`), as much as it sees fit (`adaptive`), either, or never
   * (https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting).
   */
  thinking: 'none' | 'budget' | 'either' | 'adaptive'
  /** How it is kept from thinking: `absent` where it only does when asked, `never` where it always does. */
  thinkingOff: 'absent' | 'disabled' | 'between_tools' | 'never'
  /** What it shows of its thoughts is a summary: others show all of them. */
  summarizesThoughts: boolean
  /** Levels of `output_config.effort`, weakest first. */
  efforts: readonly string[]
  /** Takes `temperature`, `top_p` and `top_k`; the others only the values that change nothing. */
  sampling: boolean
  temperatureWithTopP: boolean
  /** Takes `tool_choice` `any` and `tool`. */
  forcedTools: boolean
  /** Takes `output_config.format`. */
  structuredOutput: boolean
  /** Takes `system` turns within the conversation. */
  systemTurns: boolean
}

/** What one model takes of Google's format. */
export interface GeminiTraits {
  /** How it is told how much to think: never, by a budget of tokens, or by a level. */
  thinking: 'none' | 'budget' | 'levels'
  /** Tokens of a budget: how few keep it from thinking as far as it can be, and how many there may be. */
  budget: { least: number; most: number }
  /** Values of `thinkingLevel`, weakest first. */
  levels: readonly ThinkingLevel[]
  /** It has the mode in which arguments keep to their schemas (`VALIDATED`). */
  validatesCalls: boolean
  /** It refuses a step of calls of which the first is not signed. */
  demandsSignatures: boolean
  /** Results of calls may hold media. */
  mediaInResults: boolean
  /** It answers in JSON while it has tools to call. */
  jsonBesideTools: boolean
}

/** Weakest first. */
export const thinkingLevels = ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'] as const
export type ThinkingLevel = (typeof thinkingLevels)[number]

export interface MistralTraits {
  /** How it is told to think: by `prompt_mode`, or by an effort that is on or off, or one that has steps. */
  thinking: 'prompt-mode' | 'on-or-off' | 'steps'
}

export interface DeepseekTraits {
  /** It thinks unless it is kept from it. */
  thinksUnasked: boolean
}

/** What one model takes of Bedrock's Converse: its models are of many makers. */
export interface BedrockTraits {
  /** Whose words it has for how much to think; Claude's are in `ClaudeTraits`. */
  thinking: 'none' | 'claude' | 'openai' | 'nova'
  /** Where it reads `top_k`: beside its other fields, or in Nova's `inferenceConfig`. */
  topK: 'none' | 'field' | 'nova'
  /** Values of `toolChoice` beside `auto`. */
  toolChoices: readonly ('any' | 'tool')[]
  /** Results of calls say whether the tool failed. */
  resultStatus: boolean
  /** Results of calls may hold media. */
  resultMedia: boolean
  /** It takes instructions apart from the conversation. */
  system: boolean
  /** Where it takes cache points; for an hour, too. */
  caches: readonly ('tools' | 'system' | 'messages')[]
  cachesAnHour: boolean
  /** It can be held to a schema (`outputConfig.textFormat`). */
  schemas: boolean
  /** Identifiers of its calls have nine letters or digits, and no others. */
  shortCallIds: boolean
}

export interface CohereTraits {
  /** It thinks unless it is kept from it; others make a plan at most, before they call tools. */
  thinks: boolean
}

/** What one model takes of OpenAI's formats. */
export interface OpenaiTraits {
  /** Values of its reasoning effort, weakest first; undefined: not known, so that each goes to it. */
  efforts: readonly string[] | undefined
  /** It refuses `temperature` and `top_p`, but for the values that change nothing. */
  fixedSampling: boolean
  /** It answers better where it is told which of its earlier texts were answers (`phase`). */
  phases: boolean
  /** False: it refuses to stream, and answers as a whole. */
  streams: boolean
  /** Types of tools that the vendor runs: without one of these it does not answer; empty: it needs none. */
  livesBy: readonly string[]
}
