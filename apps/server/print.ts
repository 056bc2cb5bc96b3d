/** Prints text for people; the log goes through pino. */
export function print(text: string): void {
  process.stdout.write(text)
}

export function printError(text: string): void {
  process.stderr.write(text)
}
