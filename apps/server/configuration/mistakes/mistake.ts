/** The path of a value in the file: `['models', 'local/llama', 'upstreams', 0]`. */
export type Path = readonly (string | number)[]

export interface Mistake {
  /** From 1; null if the mistake is not in the file, such as a missing file. */
  line: number | null
  column: number | null
  path: Path
  message: string
}

/** Returns `turnpike.yaml:12:5 providers.openai.base_url: expected …`. */
export function formatMistake(file: string, mistake: Mistake): string {
  const place = mistake.line === null ? file : `${file}:${mistake.line}:${mistake.column}`
  const path = formatPath(mistake.path)
  return path === '' ? `${place} ${mistake.message}` : `${place} ${path}: ${mistake.message}`
}

/** Returns `models["local/llama"].upstreams[0]`. */
function formatPath(path: Path): string {
  let text = ''
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`
    else if (!/^[\w-]+$/.test(segment)) text += `[${JSON.stringify(shorten(segment))}]`
    else text += text === '' ? segment : `.${segment}`
  }
  return text
}

export function byPlace(left: Mistake, right: Mistake): number {
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0)
}

export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
