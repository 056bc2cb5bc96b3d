import type { ApiRequest, Completion, CompletionRequest, Model } from '@turnpike/api'

/**
 * The gateway, as tools see it: over the network for the command line, within the gateway for those who call
 * it from afar. What it rejects with is told to the model by `ToolServerOptions.describeFailure`.
 */
export interface Api {
  ask<Answer>(request: ApiRequest): Promise<Answer>
  /** All that can be called, with prices in USD per token. */
  models(): Promise<Model[]>
  /** @param onText gets the text piece by piece */
  complete(
    request: CompletionRequest,
    onText: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Completion>
  /** Unix epoch milliseconds. */
  clock(): number
}
