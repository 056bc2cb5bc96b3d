/** What the gateway needs of a request to tell prompts that are repeated from what was generated. */
export interface CompletionContext {
  echoed: EchoedPrompts
}

export interface EchoedPrompts {
  /** Each prompt as a text, or how many tokens it has where it was given by their numbers. */
  prompts: readonly (string | number)[]
  /** How many choices each of them gets. */
  choices: number
  /** The bound of what is generated behind a prompt. */
  maxTokens: number
}
