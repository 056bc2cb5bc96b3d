import type { Context } from '../context.ts'

/** Asks on the terminal; anything but a yes is a no. */
export async function confirmed({ input, output, signal }: Context, question: string): Promise<boolean> {
  const { yellow, dim } = output.messages.style
  const { createInterface } = await import('node:readline/promises')
  const reader = createInterface({ input, output: output.prompts })
  // Input that ends is a no as well, and the interface would wait for ever.
  const ended = new Promise<string>((resolve) => reader.once('close', () => resolve('')))
  try {
    const asked = reader.question(`${yellow('?')} ${question} ${dim('(y/N)')} `, { signal })
    return /^y(es)?$/i.test((await Promise.race([asked, ended])).trim())
  } finally {
    reader.close()
  }
}
