import type { Context } from '../context.ts'
import { cancellation } from '../failure.ts'

/** Asks at the terminal; anything but a yes is a no. */
export async function askToConfirm({ input, output, signal }: Context, question: string): Promise<boolean> {
  const { yellow, dim } = output.messages.style
  const { createInterface } = await import('node:readline/promises')
  const reader = createInterface({ input, output: output.prompts })
  // If the input ends, that is a no as well; the interface itself would wait for ever.
  const ended = new Promise<string>((resolve) => reader.once('close', () => resolve('')))
  try {
    const reply = reader.question(`${yellow('?')} ${question} ${dim('(y/N)')} `, { signal })
    return /^y(es)?$/i.test((await Promise.race([reply, ended])).trim())
  } finally {
    reader.close()
  }
}

/** Whether a user is at the terminal. */
export function isAsked({ input, output }: Pick<Context, 'input' | 'output'>): boolean {
  return !output.isJson && input.isTTY && output.messages.isTerminal
}

/**
 * Asks for confirmation if a user is there, unless `--yes` was passed.
 * @throws {Failure} if they do not say yes
 */
export async function requireYes(context: Context, yes: boolean, question: string): Promise<void> {
  if (!yes && isAsked(context) && !(await askToConfirm(context, question))) throw cancellation()
}
