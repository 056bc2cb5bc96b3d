/** What holds of each operation whose models only read: nothing is written, and so nothing bounds it. */
export const nothingWritten = {
  expectsOutput: false,
  defaultOutputBound: () => 0,
  choices: () => 0,
  billedUnits: () => [],
} as const
