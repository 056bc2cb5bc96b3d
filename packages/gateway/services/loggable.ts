/** Texts of a request that are shorter say nothing of it, and stand in many an error by chance. */
const shortestText = 6
/** A vendor that repeats so much of a text repeats it. */
const windowCharacters = 16
const windowStep = 8
/** Of longer requests nothing is compared: a failing vendor must not cost the event loop milliseconds. */
const mostCompared = 256 * 1024
const status = /^upstream status \d+/

/**
 * What the log may keep of what a vendor said to a request: vendors quote prompts in errors, as where they
 * refuse what a prompt says, and no prompt is in our log.
 * @param texts of the request; undefined where none was read: then nothing can be quoted
 */
export function loggable(said: string, texts: Iterable<string> | undefined): string {
  if (texts === undefined || said === '') return said
  const plain = decodeEscapes(said)
  let compared = 0
  for (const text of texts) {
    if (text.length < shortestText) continue
    compared += text.length
    if (compared > mostCompared || repeats(plain, text))
      return `${status.exec(said)?.[0] ?? 'what it said'}: withheld, since it may quote the request`
  }
  return said
}

function repeats(said: string, text: string): boolean {
  if (text.length < windowCharacters + windowStep) return said.includes(text.trim())
  for (let at = 0; at + windowCharacters <= said.length; at += windowStep)
    if (text.includes(said.slice(at, at + windowCharacters))) return true
  return false
}

/** JSON's escapes, as errors have them in which JSON is quoted. */
function decodeEscapes(said: string): string {
  return said
    .replaceAll(/\\+u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\+n/g, '\n')
    .replaceAll(/\\+t/g, '\t')
    .replaceAll(/\\+(["'/])/g, '$1')
}
