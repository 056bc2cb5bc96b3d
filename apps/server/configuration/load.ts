import { existsSync, readFileSync } from 'node:fs'
import { relative, resolve as resolvePath } from 'node:path'
import { isNode } from 'yaml'
import type { Configuration } from './configuration.ts'
import { findContradictions } from './consistency/consistency.ts'
import type { ValueSchema } from './mistakes/expectation.ts'
import { byPlace, type Mistake, type Path } from './mistakes/mistake.ts'
import { parseYaml } from './parse-document.ts'
import { note, readValue, type Reading } from './read-value.ts'
import { resolveConfiguration, type Surroundings } from './resolve/resolve.ts'
import { configurationSchema, type ConfigurationInput } from './schema/schema.ts'
import type { Environment } from './variables.ts'

const defaultFile = 'turnpike.yaml'

export type Loaded =
  | { configuration: Configuration; mistakes: [] }
  | { configuration: undefined; mistakes: Mistake[]; file: string }

/**
 * Loads the configuration from the named file, else from `TURNPIKE_CONFIG`, else from `turnpike.yaml` if it
 * exists; else uses the defaults alone. Reports all mistakes at once.
 */
export function loadConfiguration({
  path,
  ...surroundings
}: Surroundings & { path?: string | undefined }): Loaded {
  const { environment, directory } = surroundings
  const named = path ?? (environment['TURNPIKE_CONFIG'] || undefined)
  const file = resolvePath(directory, named ?? defaultFile)
  if (named === undefined && !existsSync(file)) {
    return { configuration: resolveConfiguration({}, { ...surroundings, file: null }), mistakes: [] }
  }
  const shownFile = relative(directory, file).startsWith('..') ? file : relative(directory, file)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}`
    return {
      configuration: undefined,
      mistakes: [{ line: null, column: null, path: [], message }],
      file: shownFile,
    }
  }
  const parsed = parseConfiguration(text, environment, directory)
  if (parsed.input === undefined)
    return { configuration: undefined, mistakes: parsed.mistakes, file: shownFile }
  return { configuration: resolveConfiguration(parsed.input, { ...surroundings, file }), mistakes: [] }
}

/**
 * Parses and checks the text. Returns undefined if there is any mistake.
 * @param directory base of relative paths
 */
export function parseConfiguration(
  text: string,
  environment: Environment,
  directory = process.cwd(),
): { input: ConfigurationInput | undefined; mistakes: Mistake[] } {
  const { document, lines, mistakes, usable } = parseYaml(text)
  if (usable) {
    const reading: Reading = { document, lines, environment, directory, mistakes, offsets: new Map() }
    const root = isNode(document.contents) ? document.contents : null
    const input = readValue(reading, root, configurationSchema as unknown as ValueSchema, []) as
      | ConfigurationInput
      | undefined
    const wrong = mistakes.map(({ path }) => path)
    for (const { path, message } of findContradictions(input ?? {}, environment))
      if (!wrong.some((one) => isWithin(one, path) || isWithin(path, one))) note(reading, path, message)
    if (mistakes.length === 0) return { input: input ?? {}, mistakes }
  }
  return { input: undefined, mistakes: mistakes.sort(byPlace) }
}

/** Whether a path is the section or inside it: one of two such mistakes may only follow from the other. */
function isWithin(path: Path, section: Path): boolean {
  return section.every((key, index) => path[index] === key)
}
