import type { Context } from '../context.ts'
import { cancellation } from '../failure.ts'

/** Asks on the terminal; anything but a yes is a no. */
export async function askToConfirm({ input, output, signal }: Context, question: string): Promise<boolean> {
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

/** Whether somebody is there to be asked. */
export function isAsked({ input, output }: Pick<Context, 'input' | 'output'>): boolean {
  return !output.isJson && input.isTTY && output.messages.isTerminal
}

/**
 * Asks first, where somebody is there and has not said `--yes`.
 * @throws {Failure} where they do not say yes
 */
export async function requireYes(context: Context, yes: boolean, question: string): Promise<void> {
  if (!yes && isAsked(context) && !(await askToConfirm(context, question))) throw cancellation()
}
