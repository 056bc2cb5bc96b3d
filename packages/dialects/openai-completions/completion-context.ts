/** What the gateway needs from a request to separate echoed prompts from generated text. */
export interface CompletionContext {
  echoed: EchoedPrompts
}

export interface EchoedPrompts {
  /** Each prompt as a text, or its number of tokens if it was given as token numbers. */
  prompts: readonly (string | number)[]
  /** How many choices each prompt gets. */
  choices: number
  /** The bound on what is generated after a prompt. */
  maxTokens: number
}
