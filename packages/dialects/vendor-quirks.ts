import type { OutputBoundField } from './requests/output-bounds.ts'

/** How vendors of one format differ in what they accept. */
export interface VendorQuirks {
  /** Accepts `stream_options`. */
  takesStreamOptions: boolean
  /** Its name for the output bound if it knows only one, and its name for reasoning models. */
  outputBoundField: OutputBoundField | undefined
  reasoningBoundField: OutputBoundField | undefined
  /** It rejects messages that contain reasoning. */
  refusesReasoning: boolean
  /** It rejects the role `developer`. */
  refusesDeveloper: boolean
  /** It accepts OpenRouter's additions: `cache_control`, `reasoning`, `reasoning_details`. */
  takesOpenRouterWords: boolean
  /**
   * How it takes an answer's schema. `strict`: strict mode is used for schemas that allow it. `instructed`:
   * the vendor only knows JSON, so the schema is written into the instructions. Undefined: unchanged.
   */
  schemas: 'strict' | 'instructed' | undefined
  /** The operator's Bedrock guardrail, which checks prompts and answers. */
  guardrail?: { guardrailIdentifier: string; guardrailVersion: string }
  /** Claude Code's line for Anthropic's billing is left out, because this vendor is not Anthropic. */
  dropsBillingLine?: boolean
}
