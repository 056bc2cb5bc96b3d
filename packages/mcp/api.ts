import type { ApiRequest, Completion, CompletionRequest, Model } from '@turnpike/api'

/**
 * The gateway, as tools see it: over the network for the command line, in the same process for remote MCP
 * clients. `ToolServerOptions.describeFailure` turns its rejections into text for the model.
 */
export interface Api {
  ask<Answer>(request: ApiRequest): Promise<Answer>
  /** All models that can be called, with prices in USD per token. */
  models(): Promise<Model[]>
  /** @param onText receives the text piece by piece */
  complete(
    request: CompletionRequest,
    onText: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Completion>
  /** Unix epoch milliseconds. */
  clock(): number
}
