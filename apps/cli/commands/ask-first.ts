import type { Context } from '../context.ts'
import { cancelled } from '../failure.ts'
import { confirmed } from '../terminal/confirm.ts'

/** Asks on a terminal before what cannot be undone. @throws {Failure} where the answer is no */
export async function askFirst(context: Context, yes: boolean, question: string): Promise<void> {
  const { input, output } = context
  const isAsked = !yes && !output.isJson && input.isTTY && output.messages.isTerminal
  if (isAsked && !(await confirmed(context, question))) throw cancelled()
}
