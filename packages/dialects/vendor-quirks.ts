import type { OutputBoundField } from './requests/output-bounds.ts'

/** Where vendors of one format differ in what they take. */
export interface VendorQuirks {
  /** Whether it knows `stream_options`. */
  takesStreamOptions: boolean
  /** The word for the output bound where it knows one alone, and the same of models that reason. */
  outputBoundField: OutputBoundField | undefined
  reasoningBoundField: OutputBoundField | undefined
  /** It refuses messages that hold reasoning. */
  refusesReasoning: boolean
  /** It refuses the role `developer`. */
  refusesDeveloper: boolean
  /** It knows what OpenRouter added: `cache_control`, `reasoning`, `reasoning_details`. */
  takesOpenRouterWords: boolean
  /**
   * How it takes the schema of an answer: `strict` holds the model to one that it can be held to,
   * `instructed` has JSON alone, so that the model is told the schema; undefined: as it is.
   */
  schemas: 'strict' | 'instructed' | undefined
  /** The operator's guardrail at Bedrock, which reads what is asked and what is answered. */
  guardrail?: { guardrailIdentifier: string; guardrailVersion: string }
  /** Claude Code's line for Anthropic's billing is left out: this is somebody else who speaks its format. */
  dropsBillingLine?: boolean
}
