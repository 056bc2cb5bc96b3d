/** Rules shared by operations whose models only read: no output tokens, so no output bound. */
export const nothingWritten = {
  expectsOutput: false,
  defaultOutputBound: () => 0,
  choices: () => 0,
  billedUnits: () => [],
} as const
