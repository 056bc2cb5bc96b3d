/** What the pipeline writes to the log: never a prompt, an answer, or a credential. */
export interface GatewayLog {
  warn(fields: Record<string, unknown>, message: string): void
  error(fields: Record<string, unknown>, message: string): void
}
