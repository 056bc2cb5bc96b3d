/** An encoding that hides what a secret looks like, and is easily reversed. */
export interface Encoding {
  /** Text that must be present; undefined if any text may be encoded like this. */
  hint?: string
  /** Matches one run that may be encoded. */
  runs: RegExp
  /** Undefined if the run is not encoded like this. */
  decode: (run: string) => string | undefined
}

export const encodings: readonly Encoding[] = [
  { hint: '%', runs: /(?<![^\s"'<>\\])[^\s"'<>\\]*%[0-9A-Fa-f]{2}[^\s"'<>\\]*/g, decode: percentDecoded },
  { hint: '\\u', runs: /(?<![^\s"])[^\s"]*\\u[0-9A-Fa-f]{4}[^\s"]*/g, decode: decodeEscapes },
  { runs: /(?<![0-9A-Fa-f])(?:[0-9A-Fa-f]{2}){12,}(?![0-9A-Fa-f])/g, decode: (run) => readable(run, 'hex') },
  { runs: /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}/g, decode: (run) => readable(run, 'base64') },
]

function percentDecoded(run: string): string {
  return run.replaceAll(/%([0-9A-Fa-f]{2})/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

function decodeEscapes(run: string): string {
  return run.replaceAll(/\\u([0-9A-Fa-f]{4})/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Words and identifiers can be decoded too, but not to readable text. */
function readable(run: string, encoding: 'hex' | 'base64'): string | undefined {
  const text = Buffer.from(run, encoding).toString('latin1')
  // oxlint-disable-next-line no-control-regex
  return /^[\t\n\r\x20-\x7e]{8,}$/.test(text) ? text : undefined
}
