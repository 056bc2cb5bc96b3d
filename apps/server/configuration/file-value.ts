import { resolve } from 'node:path'
import { readSecretText } from '../credentials/secret-text.ts'
import { scalarProblem, type ValueSchema } from './mistakes/expectation.ts'

/** The absolute path of a file that exists and is not empty, or the reason why it cannot be used. */
export function readFileValue(
  directory: string,
  value: string,
  isKey: boolean,
): { path: string; problem: string | undefined } {
  const path = resolve(directory, value)
  const { problem } = readSecretText(path, isKey)
  return { path, problem: problem === undefined ? undefined : `the file ${path} ${problem}` }
}

/** Reads a secret from a file and checks it as if the configuration contained it. No message repeats it. */
export function secretInFile(
  path: string,
  schema: ValueSchema,
): { text: string; problem: undefined } | { text: undefined; problem: string } {
  const { text, problem: unread } = readSecretText(path)
  if (unread !== undefined) return { text, problem: `the file ${path} ${unread}` }
  const problem = scalarProblem(text, schema)
  return problem === undefined ? { text, problem } : { text: undefined, problem: `in ${path}: ${problem}` }
}
