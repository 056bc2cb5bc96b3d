import type { Context } from '../../context.ts'
import { badInput } from '../../failure.ts'
import { isAsked } from '../../terminal/confirm.ts'
import { readAll } from '../../terminal/read-all.ts'

/**
 * Reads the secret from standard input, or typed without echo: an argument would be in the shell's history
 * and in the process list.
 * @throws {Failure} if there is none
 */
export async function secretOf(context: Context): Promise<string> {
  const { input } = context
  const text = input.isTTY ? await promptForSecret(context) : await readAll(context)
  const secret = text.trim()
  if (secret !== '') return secret
  throw badInput('No key received. Pipe it in: turnpike vendor-keys add openai < key.txt')
}

async function promptForSecret(context: Context): Promise<string> {
  if (!isAsked(context)) return ''
  const { input, output, signal } = context
  const { createInterface } = await import('node:readline/promises')
  const { Writable } = await import('node:stream')
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  output.prompts.write('Key (hidden): ')
  const reader = createInterface({ input, output: unseen, terminal: true })
  const ended = new Promise<string>((resolve) => reader.once('close', () => resolve('')))
  try {
    return await Promise.race([reader.question('', { signal }), ended])
  } finally {
    reader.close()
    output.prompts.write('\n')
  }
}
