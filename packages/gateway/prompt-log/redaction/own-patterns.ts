import { RE2JS } from 're2js'

/** A pattern of the operator's, in RE2's syntax (https://github.com/google/re2/wiki/Syntax). */
export interface OwnPattern {
  /** Used in the replacement: `[redacted:customer_number]`. */
  name: string
  pattern: string
}

/** RE2's error for a pattern; undefined if it is valid. */
export function mistakeOfPattern(pattern: string): string | undefined {
  try {
    return RE2JS.compile(pattern).matches('')
      ? 'matches the empty text, so it would match everywhere'
      : undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Replaces a pattern's matches. RE2 takes time linear in the text, so no caller's text can block it. */
export function replacerOf(pattern: string): (text: string, mark: () => string) => string {
  const compiled = RE2JS.compile(pattern)
  return (text, mark) => {
    const matcher = compiled.matcher(text)
    let clean = ''
    let at = 0
    while (matcher.find()) {
      if (matcher.end() === matcher.start()) continue
      clean += text.slice(at, matcher.start()) + mark()
      at = matcher.end()
    }
    return at === 0 ? text : clean + text.slice(at)
  }
}
