export type Environment = Readonly<Record<string, string | undefined>>

export interface Substitution {
  text: string
  /** Whether any value came from the environment. */
  substituted: boolean
  /** The errors, one sentence each. */
  problems: string[]
}

const reference = /\$?\$\{([^}]*)(\}?)/g
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Replaces `${NAME}` by environment variables. `$${` is an escaped `${`. */
export function substitute(text: string, environment: Environment): Substitution {
  const problems: string[] = []
  let substituted = false
  const result = text.replace(reference, (whole, name: string, end: string) => {
    if (whole.startsWith('$$')) return whole.slice(1)
    if (end === '' || !variableName.test(name)) {
      problems.push(
        'expected ${NAME} with the name of an environment variable; write $${ for the characters ${',
      )
      return whole
    }
    const value = environment[name]
    substituted = true
    if (value === undefined) problems.push(`the environment variable ${name} is not set`)
    return value ?? ''
  })
  return { text: result, substituted, problems }
}
